import { parseArgs } from 'node:util'
import { sayToTerminal as say } from '../../dev/say.ts'
import { fuzzHttp } from './http.ts'

/** `npm run fuzz -- --minutes 5 --seed 7`: random requests, made from the OpenAPI document, to a whole service. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0) || !Number.isInteger(seed)) {
  say('Give --minutes above 0 and a whole number as --seed.')
  process.exit(2)
}
say(`seed ${seed}, ${minutes} min`)
process.exitCode = await fuzzHttp({ seed, minutes, say })
