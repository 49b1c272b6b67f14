import type { Blobs } from './blobs.ts'
import type { Content, Pointer } from '../documents.ts'
import { parseJson } from '../../core/exact-json.ts'

/** Replaces a large value in lists, events and stream messages. */
export interface Offloaded {
  offloaded: true
  pointer: Pointer
}

/** Stored user values: inline below the limit, in the object store above it. */
export interface Contents {
  /**
   * Prepares a value for storage. A value above the limit is first written to the object store under `key`.
   * @throws TroupeError storage_failed
   */
  put: (key: string, value: unknown) => Promise<Content>
  /**
   * The value itself; an offloaded value is fetched.
   * @throws TroupeError storage_failed
   */
  value: (content: Content) => Promise<unknown>
}

/**
 * Creates the contents of a process. Short values stay inline, long values go to the object store.
 * @param limitBytes - UTF-8 length of the JSON text above which a value is offloaded.
 */
export function createContents({ blobs, limitBytes }: { blobs: Blobs; limitBytes: number }): Contents {
  return {
    async put(key, value) {
      const json = JSON.stringify(value ?? null)
      if (Buffer.byteLength(json) <= limitBytes) return { json }
      return { pointer: await blobs.put(key, json) }
    },
    async value(content) {
      return parseJson('json' in content ? content.json : await blobs.get(content.pointer))
    },
  }
}

/** A value without a fetch: an offloaded value is represented by its pointer. */
export function inlineValue(content: Content): unknown {
  if ('json' in content) return parseJson(content.json)
  return { offloaded: true, pointer: content.pointer } satisfies Offloaded
}

/** Name of an execution's response in the object store: `responses/YYYY/MM/DD/<id>`; attempt and extension follow. */
export function responseName(id: string, now: Date): string {
  return `responses/${now.toISOString().slice(0, 10).replaceAll('-', '/')}/${id}`
}

/** Number of characters that are stored inline; 0 for an offloaded or missing content. */
export function inlineLength(content: Content | null | undefined): number {
  return content != null && 'json' in content ? content.json.length : 0
}

/** Key of the object that stores a content; undefined if it is inline. */
export function objectKey(content: Content | null | undefined): string | undefined {
  return content != null && 'pointer' in content ? content.pointer?.key : undefined
}
