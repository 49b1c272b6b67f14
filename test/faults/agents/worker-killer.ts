import { count } from '../../support/agents/_gate.ts'

export default {
  name: 'worker-killer',
  role: 'Killer of workers',
  goal: 'Kill or freeze the process that it runs in, or keep it busy for ever, each time',
  run: async ({ signal }: { signal?: NodeJS.Signals }, { jobId }: { jobId: string }) => {
    count(jobId, `begin ${process.pid}`)
    while (signal === undefined);
    process.kill(process.pid, signal)
    await new Promise(() => undefined)
  },
}
