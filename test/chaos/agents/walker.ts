import { effect } from './_effect.ts'

interface Walk {
  marker: string
  ms: number
}

interface Context {
  step: <Result>(name: string, work: () => Result) => Promise<Result>
  sleep: (durationMs: number) => Promise<void>
  callAgent: (name: string, inputs: unknown) => Promise<{ told: string }>
}

export default {
  name: 'walker',
  role: 'Walker',
  goal: 'Do in plain code everything that is recorded once',
  run: async (walk: Walk, { step, sleep, callAgent }: Context) => {
    const { marker, ms } = walk
    const first = await step('first', () => {
      effect(marker, 'step first')
      return 'first'
    })
    const [one, two] = await Promise.all([
      callAgent('teller', { marker, say: 'one' }),
      callAgent('teller', { marker, say: 'two' }),
    ])
    await sleep(ms)
    const last = await step('last', () => {
      effect(marker, 'step last')
      return 'last'
    })
    return { ...walk, at: '1', walked: [first, one.told, two.told, last].join(' ') }
  },
}
