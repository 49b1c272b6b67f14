import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProviderServer, type ProviderServer } from '../support/provider-server.ts'
import { startScene } from '../contract/scene.ts'
import { TEST_AGENTS, type TestService, type TestServiceOptions } from '../support/service.ts'

const AGENTS = fileURLToPath(new URL('./agents', import.meta.url))

/** A service whose models have prices: OpenAI and Anthropic behind a server of the test's own, and scripts for nothing. */
export interface MoneyScene extends TestService {
  provider: ProviderServer
}

/** US dollars for a million tokens, as round numbers. */
export const PRICES = {
  scripted: { input: 0, output: 0 },
  'vllm/gratis': { input: 0, output: 0 },
  'openai/gpt-5-mini': { input: 1, output: 4, cache_read: 0.1 },
}

export async function startMoneyScene(
  script: Parameters<typeof startProviderServer>[0],
  folder: string,
  options: TestServiceOptions = {},
): Promise<MoneyScene> {
  const provider = await startProviderServer(script)
  const prices = join(folder, 'prices.json')
  await writeFile(prices, JSON.stringify(PRICES))
  const { url } = provider
  const reached = { OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, OPENAI_COMPATIBLE_BASE_URL: url }
  const keys = { OPENAI_API_KEY: 'sk-a-key-of-this-test', ANTHROPIC_API_KEY: 'sk-a-key-of-this-test' }
  const env = { PRICES_FILE: prices, ...reached, ...keys, ...options.env }
  const started = startScene({ agentsDir: `${TEST_AGENTS},${AGENTS}`, ...options, env })
  const service = await started.catch(async (error: unknown) => {
    await provider.close()
    throw error
  })
  const stop = async () => {
    await service.stop().finally(() => provider.close())
  }
  return { ...service, provider, stop }
}
