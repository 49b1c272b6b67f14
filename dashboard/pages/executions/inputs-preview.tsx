import { useQuery } from '@tanstack/react-query'
import { troupe } from '../../api/session.ts'
import { shortId } from '../../parts/format.ts'

/** A row that is only passed over asks for nothing. */
const WAIT_MS = 250
const SHOWN_CHARACTERS = 300

/** What the execution that is pointed at was given, in one line. */
export function InputsPreview({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['inputs-preview', id],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
      signal.throwIfAborted()
      const { inputs } = await troupe().jobs.get(id, { signal })
      return JSON.stringify(inputs).slice(0, SHOWN_CHARACTERS)
    },
    staleTime: Infinity,
  })
  return (
    <span className="inputs-preview">
      <code>{shortId(id)}</code> {data === undefined ? '' : 'was given '}
      <code>{data}</code>
    </span>
  )
}
