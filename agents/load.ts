import { dirname, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import pTimeout from 'p-timeout'
import { messageOf } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { Log } from '../log.ts'
import { createPrices } from './prices/create-prices.ts'
import type { Prices } from './prices/price.ts'
import { unpricedModel } from './prices/unpriced-model.ts'
import { EXAMPLES_DIR, findAgentModules } from './agent-modules.ts'
import { checkDefinition } from './check-definition.ts'
import { toLoadedAgent, type LoadedAgent } from './loaded-agent.ts'

/** A module without a usable agent. */
export interface AgentProblem {
  file: string
  /** One sentence that names the file and the field. */
  message: string
}

export interface LoadedAgents {
  /** By name. */
  agents: Map<string, LoadedAgent>
  problems: AgentProblem[]
}

export interface LoadAgentsOptions {
  /** Folders, relative to the working directory or absolute (AGENTS_DIR). */
  directories: string[]
  log: Pick<Log, 'error'>
  /** Model that replaces that of every example agent (MODEL). The users' own agents keep theirs. */
  modelOverride?: string | undefined
  /** Prices of models; default: the published prices. */
  prices?: Prices
}

/** Time limit for evaluating a module, including its top-level awaits. */
const IMPORT_TIMEOUT_MS = 30_000

/**
 * Loads every agent module of the folders. A bad module is logged and reported and does not affect the others. If two
 * agents have the same name, the first one is kept.
 */
export async function loadAgents(options: LoadAgentsOptions): Promise<LoadedAgents> {
  const { directories, log, modelOverride, prices = createPrices(undefined) } = options
  const { files, problems } = await findAgentModules(directories)
  const agents = new Map<string, LoadedAgent>()
  for (const file of files) {
    const name = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file)
    try {
      const agent = await priced(await loadAgent(file, modelOverride), prices)
      const first = agents.get(agent.name)
      if (first) throw new Error(`name ${agent.name} is taken by the agent in ${first.file}`)
      agents.set(agent.name, agent)
    } catch (error) {
      problems.push({ file, message: `${name}: ${messageOf(error)}` })
    }
  }
  for (const { file, message } of problems) log.error({ file }, `agent not loaded: ${message}`)
  return { agents, problems }
}

async function loadAgent(file: string, modelOverride: string | undefined): Promise<LoadedAgent> {
  const exports = await importModule(file)
  if (!('default' in exports))
    throw new Error('the default export is missing: an agent module default-exports its definition')
  const isExample = dirname(file) === EXAMPLES_DIR
  const checked = checkDefinition(isExample ? withModel(exports.default, modelOverride) : exports.default)
  if ('problem' in checked) throw new Error(checked.problem)
  return toLoadedAgent(checked.definition, file)
}

/**
 * Records whether the agent's cost is known.
 * @throws Error if the agent has a budget in money that cannot be enforced.
 */
async function priced(agent: LoadedAgent, prices: Prices): Promise<LoadedAgent> {
  const unpriced = await unpricedModel(agent, prices)
  if (unpriced !== undefined && agent.budget?.usd !== undefined) {
    throw new Error(
      `budget.usd cannot hold: no price of ${unpriced} is known; give it one in PRICES_FILE, or limit tokens`,
    )
  }
  return { ...agent, unpriced }
}

/** Puts an example on the user's model, which replaces its script. Examples of plain code stay unchanged. */
function withModel(exported: unknown, model: string | undefined): unknown {
  if (model === undefined || !isObject(exported) || exported.model === undefined || exported.model === model)
    return exported
  return { ...exported, model, script: undefined }
}

async function importModule(file: string): Promise<Record<string, unknown>> {
  const imported = import(pathToFileURL(file).href) as Promise<Record<string, unknown>>
  const message = `the module did not finish loading within ${IMPORT_TIMEOUT_MS / 1000} seconds`
  try {
    return await pTimeout(imported, { milliseconds: IMPORT_TIMEOUT_MS, message })
  } catch (error) {
    throw new Error(`the module cannot be loaded: ${messageOf(error)}`, { cause: error })
  }
}
