import type { Store } from '../store/mongodb/connect.ts'
import { connectStore } from '../store/mongodb/connect.ts'
import { startApi, type ApiProcess } from '../test/support/processes.ts'
import { readEndpoints, type ReadEndpoint } from './read-endpoints.ts'
import { seed } from './seed.ts'

/** An API process on a database of a given size, with MongoDB but without Temporal and S3, so that nothing runs. */
export interface ReadService {
  events: number
  api: ApiProcess
  store: Store
  endpoints: ReadEndpoint[]
  stop: () => Promise<void>
}

/** Fills a database named after its size, unless it exists, and starts an API process on it. */
export async function startReadService(uri: string, events: number): Promise<ReadService> {
  const database = `bench-${events}`
  const store = connectStore({ uri, database, appName: 'bench' })
  if ((await store.agents.estimatedDocumentCount()) === 0) await seed(store, events)
  const nowhere = { TEMPORAL_ADDRESS: '127.0.0.1:1', S3_ENDPOINT: 'http://127.0.0.1:1' }
  const credentials = { AWS_ACCESS_KEY_ID: 'unused', AWS_SECRET_ACCESS_KEY: 'unused' }
  const env = { ...nowhere, ...credentials, MONGODB_URI: uri, MONGODB_DATABASE: database, LOG_LEVEL: 'warn' }
  const api = await startApi({ env })
  const endpoints = await readEndpoints(store)
  return {
    ...{ events, api, store, endpoints },
    stop: async () => {
      await api.stop()
      await store.close()
    },
  }
}
