import { addAbortListener } from 'node:events'
import type { Content } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { JsonText } from '../http/json-text.ts'

/**
 * A stored value as JSON text; an offloaded value is streamed from the object store.
 * @param responseClosed - stops the stream when the response was sent or the client has disconnected.
 * @throws TroupeError storage_failed
 */
export async function contentText(
  { blobs }: Pick<Dependencies, 'blobs'>,
  content: Content,
  responseClosed: AbortSignal,
): Promise<JsonText> {
  if ('json' in content) return new JsonText(content.json)
  const stream = await blobs.open(content.pointer)
  // The stream may be read later; its reader will then see an error that occurs in the meantime.
  stream.on('error', () => {})
  addAbortListener(responseClosed, () => stream.destroy())
  return new JsonText(stream)
}
