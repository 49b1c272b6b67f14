const AT_ONCE = 8

/** Does something for each of these, eight at a time. @returns those for which it failed, and why the last of them did */
export async function forEach(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<{ failed: string[]; reason: string }> {
  const failed: string[] = []
  let reason = ''
  const left = ids.values()
  async function take(): Promise<void> {
    // All of them take from one iterator.
    for (const id of left) {
      try {
        await work(id)
      } catch (error) {
        failed.push(id)
        reason = (error as Error).message
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, take))
  return { failed, reason }
}
