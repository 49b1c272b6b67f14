interface Inputs {
  calls: number
  /** Whether the first failure ends it. */
  strict: boolean
}

export default {
  name: 'far-crowd',
  role: 'Far crowd',
  goal: 'Call an agent of another pool very often at once; one of the calls fails',
  run: async (
    { calls, strict }: Inputs,
    { callAgent }: { callAgent: (name: string, inputs: unknown) => Promise<unknown> },
  ) => {
    const asked = Array.from({ length: calls }, (_, index) =>
      callAgent('far-picky', { text: index === 3 ? 'bad' : String(index) }),
    )
    if (strict) return { answers: (await Promise.all(asked)).length }
    const settled = await Promise.allSettled(asked)
    return { failed: settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : [])) }
  },
}
