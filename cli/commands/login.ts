import { Troupe } from '../../client/index.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { readSecret } from '../read-secret.ts'
import { configPath, writeConfig } from '../settings.ts'

/** `troupe login`: checks URL and key, and saves them in a file that only its owner can read. */
export async function login({ settings, terminal, signal }: Context): Promise<number> {
  const { url } = settings
  const key = settings.key ?? (await readSecret(`API key for ${url} (empty for none): `, signal))
  const { version } = await new Troupe({ url, key, retries: 0 }).health({ signal })
  const path = configPath(process.env)
  writeConfig(path, key === '' ? { url } : { url, key })
  if (terminal.options.json) terminal.document({ url, config: path, version })
  else terminal.note(`Saved ${url} (version ${version}) in ${path}.`)
  return EXIT.ok
}
