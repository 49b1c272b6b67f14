import { draw } from './_draw.ts'

export default {
  name: 'drawer',
  role: 'Drawer',
  goal: 'Give another large answer each time it runs, in plain code that ignores its signal',
  run: ({ bytes }: { bytes: number }, { jobId }: { jobId: string }) => draw(jobId, bytes),
}
