import { connectStore, type Store } from '../../store/mongodb/connect.ts'
import { ensureSchema } from '../../store/schema.ts'
import { isolated, sharedStack } from './stack.ts'

/** A database of the test's own on the shared server, with its indexes. */
export async function openOwnStore(): Promise<Store> {
  const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = isolated(sharedStack())
  const store = connectStore({ uri, database, appName: 'test' })
  await ensureSchema(store)
  return store
}

/** Drops it. */
export async function dropOwnStore(store: Store): Promise<void> {
  await store.db.dropDatabase()
  await store.close()
}
