/** A server or process that a test may kill. */
interface Mortal {
  readonly pid: number | undefined
  restart: () => Promise<void>
}

/**
 * Starts again, one after the other, what a test killed and, because it failed, did not start again: it is the only test to
 * fail then. What runs is left as it is.
 */
export async function revive(...mortals: Mortal[]): Promise<void> {
  for (const mortal of mortals) {
    if (mortal.pid === undefined) await mortal.restart()
  }
}
