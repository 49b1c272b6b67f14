import type { Readable } from 'node:stream'
import type { Pointer } from '../documents.ts'

/** An object in a list. */
export interface BlobEntry {
  key: string
  modifiedAt: Date
}

/** The object store operations that Troupe needs. */
export interface Blobs {
  /**
   * Stores JSON text under a key; a second put of the same key replaces it.
   * @throws TroupeError storage_failed
   */
  put: (key: string, text: string) => Promise<Pointer>
  /**
   * The whole object as text.
   * @throws TroupeError storage_failed; object_lost if the object does not exist.
   */
  get: (pointer: Pointer) => Promise<string>
  /**
   * The object as a stream; resolves once the store has begun to respond.
   * @throws TroupeError storage_failed; object_lost if the object does not exist.
   */
  open: (pointer: Pointer) => Promise<Readable>
  /**
   * Up to some hundred objects under a prefix, sorted by key.
   * @param after - the key after which the list begins.
   * @throws TroupeError storage_failed
   */
  list: (prefix: string, after: string) => Promise<BlobEntry[]>
  /**
   * Removes objects; a missing object is no error.
   * @throws TroupeError storage_failed
   */
  remove: (keys: string[]) => Promise<void>
  /** Whether the bucket responds soon. */
  ping: () => Promise<boolean>
  close: () => void
}
