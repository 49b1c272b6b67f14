import { effect } from './_effect.ts'

export default {
  name: 'teller',
  role: 'Teller',
  goal: 'Repeat what it was told',
  run: ({ marker, say }: { marker: string; say: string }) => {
    effect(marker, `call ${say}`)
    return { told: say }
  },
}
