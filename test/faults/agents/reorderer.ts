import { setTimeout as sleep } from 'node:timers/promises'
import { count } from '../../support/agents/_gate.ts'

interface Context {
  jobId: string
  callAgent: (name: string, inputs: unknown) => Promise<unknown>
}

/** Between two calls of those that are made side by side. */
const STAGGER_MS = 100
const attempts = new Map<string, number>()

// Its second attempt makes the calls of the first in the opposite order.
export default {
  name: 'reorderer',
  role: 'Reorderer',
  goal: 'Call an agent for each text, fail once, and call it again in another order',
  run: async ({ texts, together }: { texts: string[]; together: boolean }, { jobId, callAgent }: Context) => {
    const attempt = attempts.get(jobId) ?? 0
    attempts.set(jobId, attempt + 1)
    const order = texts.map((text, index) => ({ text, turn: attempt === 0 ? index : texts.length - 1 - index }))
    const ask = ({ text }: { text: string }) => callAgent('teller', { text })
    const answers: unknown[] = []
    if (together) {
      answers.push(...(await Promise.all(order.map((each) => sleep(each.turn * STAGGER_MS).then(() => ask(each))))))
    } else {
      for (const each of order.toSorted((one, other) => one.turn - other.turn)) answers.push(await ask(each))
    }
    count(jobId, `answers ${JSON.stringify(answers)}`)
    if (attempt === 0) throw Object.assign(new Error('Once more.'), { retryable: true })
    return { answers }
  },
}
