import type { Client } from '@temporalio/client'
import type { LoadedAgent } from '../agents/loaded-agent.ts'
import type { Model } from '../agents/models/model.ts'
import type { Prices } from '../agents/prices/price.ts'
import type { Network } from '../agents/network/network.ts'
import type { Log } from '../log.ts'
import type { Answers } from '../store/spending/answers.ts'
import type { Store } from '../store/mongodb/connect.ts'
import type { Contents } from '../store/objects/contents.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { RangeHolders } from '../store/registry/range-holders.ts'
import type { Workers } from '../store/registry/workers.ts'
import type { LiveText } from './model-call/live-text.ts'
import type { Accounts } from './limits/accounts.ts'
import type { RunWatch } from './attempt/run-watch.ts'

/** The dependencies of a worker's activities; worker/main.ts builds them once. */
export interface ActivityDependencies {
  store: Store
  ledger: Ledger
  /** Cached model responses of equal calls. */
  answers: Answers
  contents: Contents
  /** The agents whose definitions this worker loaded. */
  agents: Map<string, LoadedAgent>
  /** Opens the model named in a definition. */
  models: (name: string) => Model
  /** Model prices. */
  prices: Prices
  /** Provider accounts to which model calls count. */
  accounts: Accounts
  /** Outbound network access for the code of agents. */
  network: Network
  temporal: Client
  /** Task queue of the workflows. */
  queue: string
  /** The pool whose agents this worker hosts. */
  pool: string
  /** This worker and the other workers. */
  workers: Workers
  /** Which worker runs which task range of a batch. */
  rangeHolders: RangeHolders
  watch: RunWatch
  /** Publishes model responses while they are written. */
  liveText: LiveText
  /** Runs an agent's work within its span, if tracing is active. */
  inAgentSpan: <Result>(agent: string, jobId: string, work: () => Promise<Result>) => Promise<Result>
  /** Runs the housekeeping that is due; never throws. */
  keepHouse: () => Promise<void>
  /** Counts a workflow that cannot continue with this version of the code. */
  onStuck: () => void
  log: Log
  /** Identity of this worker, as in task_start events. */
  worker: string
}
