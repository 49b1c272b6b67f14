// Runs in Node and in a browser, on the published client as somebody else would install it.
import { Troupe, TroupeError } from 'troupe-client'

/** Uses the service as a user would; the result can be compared. */
export async function journey({ url, key }) {
  const troupe = new Troupe({ url, key })
  const run = await troupe.prompts.run({ prompt_name: 'upper', inputs: { text: 'loud' } })
  const ids = []
  let end
  for await (const event of troupe.prompts.stream(run.prompt_id)) {
    if (event.type === 'complete') end = event.status
    else ids.push(...event.spans.map(({ id }) => id))
  }
  const listed = []
  for await (const { id } of troupe.traces.list({ job_id: run.prompt_id, limit: 1 })) listed.push(id)
  const { batch_id } = await troupe.batches.submitAll('instant', [{ n: 1 }, { n: 2 }, { n: 3 }], { chunk: 2 })
  const { summary } = await troupe.batches.wait(batch_id)
  const wrongKey = new Troupe({ url, key: 'wrong', retries: 0 })
  const refused = await wrongKey.prompts
    .stream(run.prompt_id)
    .next()
    .catch((error) => (error instanceof TroupeError ? error.status : String(error)))
  return { outputs: run.outputs, end, sameEvents: String(ids) === String(listed) && ids.length > 0, summary, refused }
}
