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

/** What the activities of a worker work with; built once by worker/main.ts. */
export interface ActivityDependencies {
  store: Store
  ledger: Ledger
  /** Answers of equal calls. */
  answers: Answers
  contents: Contents
  /** The agents whose definitions this worker loaded. */
  agents: Map<string, LoadedAgent>
  /** The model behind a definition's `model`. */
  models: (name: string) => Model
  /** What models cost. */
  prices: Prices
  /** The providers' accounts that models' calls count for. */
  accounts: Accounts
  /** The way out for the code of agents. */
  network: Network
  temporal: Client
  /** Task queue of the workflows. */
  queue: string
  /** The pool whose agents this worker hosts. */
  pool: string
  /** This worker and the others. */
  workers: Workers
  /** Which of them runs which tasks of a batch. */
  rangeHolders: RangeHolders
  watch: RunWatch
  /** Shows answers while they are written. */
  liveText: LiveText
  /** Runs an agent's work within its span, where somebody traces. */
  inAgentSpan: <Result>(agent: string, jobId: string, work: () => Promise<Result>) => Promise<Result>
  /** Does what is due of the installation's housekeeping; never throws. */
  keepHouse: () => Promise<void>
  /** Counts a workflow that cannot go on with this version of its code. */
  onStuck: () => void
  log: Log
  /** Identity of this worker, as task_start events show it. */
  worker: string
}
