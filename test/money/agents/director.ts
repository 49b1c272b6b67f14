export default {
  name: 'director',
  role: 'Director',
  goal: 'Delegate many times at once',
  model: 'scripted',
  delegates: ['spender'],
  script: ({
    step,
    inputs,
    results,
  }: {
    step: number
    inputs: { calls: number; query: string }
    results: object[]
  }) => {
    if (step > 0) return { text: JSON.stringify(results) }
    const call = (_: unknown, index: number) => ({ name: 'spender', arguments: { query: `${inputs.query} ${index}` } })
    return { toolCalls: Array.from({ length: inputs.calls }, call) }
  },
}
