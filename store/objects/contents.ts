import type { Blobs } from './blobs.ts'
import type { Content, Pointer } from '../documents.ts'
import { parseJson } from '../../core/exact-json.ts'

/** What stands for a large value in lists, events and stream messages. */
export interface Offloaded {
  offloaded: true
  pointer: Pointer
}

/** Users' values at rest: inline below the limit, in the object store above it. */
export interface Contents {
  /**
   * Makes a value ready to be stored; above the limit it is written to the object store under `key` first.
   * @throws TroupeError storage_failed
   */
  put: (key: string, value: unknown) => Promise<Content>
  /** The value itself, fetched where it is offloaded. @throws TroupeError storage_failed */
  value: (content: Content) => Promise<unknown>
}

/**
 * Creates the contents of a process: short values stay inline, long ones go to the object store.
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

/** A value without ever fetching: an offloaded one is a pointer. */
export function inlineValue(content: Content): unknown {
  if ('json' in content) return parseJson(content.json)
  return { offloaded: true, pointer: content.pointer } satisfies Offloaded
}

/** Name of an execution's response in the object store: `responses/YYYY/MM/DD/<id>`; attempt and extension follow. */
export function responseName(id: string, now: Date): string {
  return `responses/${now.toISOString().slice(0, 10).replaceAll('-', '/')}/${id}`
}

/** Characters of a content that are stored inline; 0 for one that is offloaded, or missing. */
export function inlineLength(content: Content | null | undefined): number {
  return content != null && 'json' in content ? content.json.length : 0
}

/** The object that holds a content; undefined where it is inline. */
export function objectKey(content: Content | null | undefined): string | undefined {
  return content != null && 'pointer' in content ? content.pointer?.key : undefined
}
