import { addAbortListener } from 'node:events'
import type { Content } from '../../store/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { JsonText } from '../http/json-text.ts'

/**
 * A stored value as JSON text; an offloaded one flows from the object store into the answer.
 * @param responseClosed - ends the flow when the answer was sent or its client has gone.
 * @throws TroupeError storage_failed
 */
export async function contentText(
  { blobs }: Pick<Dependencies, 'blobs'>,
  content: Content,
  responseClosed: AbortSignal,
): Promise<JsonText> {
  if ('json' in content) return new JsonText(content.json)
  const stream = await blobs.open(content.pointer)
  // It waits for its turn in the answer: an error meanwhile is found by whoever reads it then.
  stream.on('error', () => {})
  addAbortListener(responseClosed, () => stream.destroy())
  return new JsonText(stream)
}
