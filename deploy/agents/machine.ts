// An agent of a pool of its own: what only one kind of machine can do (a GPU, a network, a licence) is hosted by the workers
// of that pool, and Temporal brings the work to them. This one tells where it runs.
import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os'

const MEBIBYTE = 1_048_576

export default {
  name: 'machine',
  role: 'Machine',
  goal: 'Tell on which machine it runs and how that machine does',
  run: () => ({
    hostname: hostname(),
    processors: availableParallelism(),
    load: loadavg()[0],
    memory_mib: Math.round(totalmem() / MEBIBYTE),
    free_memory_mib: Math.round(freemem() / MEBIBYTE),
  }),
}
