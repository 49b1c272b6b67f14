import { useEffect } from 'react'

let listed: () => readonly string[] = () => []

/** Notes the list of executions that is shown: one that is opened from it has its neighbors. @param ids - asked for only then */
export function useListed(ids: () => readonly string[]): void {
  useEffect(() => {
    listed = ids
  })
}

/** The executions before and behind one in the list that was shown last; none after a reload, and for one that is not in it. */
export function neighborsOf(id: string): { before: string | undefined; behind: string | undefined } {
  const ids = listed()
  const at = ids.indexOf(id)
  return at === -1 ? { before: undefined, behind: undefined } : { before: ids[at - 1], behind: ids[at + 1] }
}
