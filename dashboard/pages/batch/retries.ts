/** How the dashboard and the command line call a batch that runs the failed tasks of another again. */
const RETRY_ID = /^(?<origin>.+)[.-]retry-[0-9a-z]+$/
const LONGEST_ID = 128

/** An id for a batch that runs failed tasks of another again. It says of which, unless that would make it too long. */
export function retryId(origin: string, now: number): string {
  const end = `.retry-${now.toString(36)}`
  return origin.slice(0, LONGEST_ID - end.length) + end
}

/** The batch whose failed tasks a batch runs again, as its id has it; whether there is one must be asked. */
export function originOf(id: string): string | undefined {
  return RETRY_ID.exec(id)?.groups?.origin
}
