import { z } from 'zod'

/** Plain code with schemas and checks. */
export default {
  name: 'scorer',
  role: 'Scorer',
  goal: 'Score a text',
  input: z.object({ text: z.string(), times: z.int().default(2), answer: z.unknown().optional() }),
  output: { type: 'object', properties: { score: { type: 'integer' } }, required: ['score'] },
  checkInput: ({ text }: { text: string }) => text !== 'secret' || 'Secrets are not scored.',
  checkOutput: ({ score }: { score: number }) => score < 100 || `A score of ${score} is not believable.`,
  run: ({ text, times, answer }: { text: string; times: number; answer?: unknown }) =>
    answer ?? { score: text.length * times },
}
