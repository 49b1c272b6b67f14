import type { Readable } from 'node:stream'
import type { Pointer } from '../documents.ts'

/** An object as a list shows it. */
export interface BlobEntry {
  key: string
  modifiedAt: Date
}

/** The object store, as far as Troupe needs it. */
export interface Blobs {
  /**
   * Stores JSON text under a key; a second put of the same key replaces it.
   * @throws TroupeError storage_failed
   */
  put: (key: string, text: string) => Promise<Pointer>
  /**
   * The whole object as text.
   * @throws TroupeError storage_failed; object_lost when there is no such object
   */
  get: (pointer: Pointer) => Promise<string>
  /**
   * The object as a stream; resolves once the store has begun to answer.
   * @throws TroupeError storage_failed; object_lost when there is no such object
   */
  open: (pointer: Pointer) => Promise<Readable>
  /**
   * Some hundred objects under a prefix, in the order of their keys.
   * @param after - the key that they come behind.
   * @throws TroupeError storage_failed
   */
  list: (prefix: string, after: string) => Promise<BlobEntry[]>
  /**
   * Removes objects; one that is gone already is no error.
   * @throws TroupeError storage_failed
   */
  remove: (keys: string[]) => Promise<void>
  /** Whether the bucket answers soon. */
  ping: () => Promise<boolean>
  close: () => void
}
