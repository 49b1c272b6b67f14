import type { Client } from '@temporalio/client'
import type { LoadedAgent } from '../agents/loaded-agent.ts'
import type { Model } from '../agents/models/model.ts'
import type { Network } from '../agents/network/network.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/connect.ts'
import type { Contents } from '../store/contents.ts'
import type { Ledger } from '../store/ledger.ts'
import type { CancelWatch } from './cancel-watch.ts'
import type { Transcripts } from './transcripts.ts'

/** What the activities of a worker work with; built once by worker/main.ts. */
export interface ActivityDependencies {
  store: Store
  ledger: Ledger
  contents: Contents
  /** The agents whose definitions this worker loaded. */
  agents: Map<string, LoadedAgent>
  /** The model behind a definition's `model`. */
  models: (name: string) => Model
  /** The way out for the code of agents. */
  network: Network
  temporal: Client
  /** Task queue of the workflows. */
  queue: string
  /** The pool whose agents this worker hosts. */
  pool: string
  /** Task queue of this worker alone, for activities that follow what it has begun. */
  ownQueue: string
  /** Does what is due of the installation's housekeeping; never throws. */
  keepHouse: () => Promise<void>
  cancels: CancelWatch
  transcripts: Transcripts
  log: Log
  /** Identity of this worker, as task_start events show it. */
  worker: string
}
