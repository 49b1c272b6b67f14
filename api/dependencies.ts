import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Blobs } from '../store/objects/blobs.ts'
import type { Store } from '../store/mongodb/connect.ts'
import type { Contents } from '../store/objects/contents.ts'
import type { Feed } from '../store/feed/feed.ts'
import type { ApiKeys } from './http/api-keys.ts'
import type { BodyRoom } from './http/body-room.ts'
import type { Containers } from './containers/containers.ts'
import type { Runs } from './runs/submission.ts'

/** Dependencies of the routes and streams of an API process; api/main.ts creates them once. */
export interface Dependencies {
  config: Config
  log: Log
  store: Store
  blobs: Blobs
  contents: Contents
  feed: Feed
  runs: Runs
  containers: Containers
  keys: ApiKeys
  bodyRoom: BodyRoom
  /** Fires when the process begins to shut down. */
  closing: AbortSignal
  /** Fires some seconds after `closing`, so that requests that wait for a run have time to finish. */
  waitsEnd: AbortSignal
}
