// An example agent of a separate pool. Workers of a pool host agents that need a certain kind of machine (a GPU, a network, a
// licence), and Temporal dispatches the work to them. This agent reports the machine on which it runs.
import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os'

const MEBIBYTE = 1_048_576

export default {
  name: 'machine',
  role: 'Machine',
  goal: 'Report the machine on which it runs and its load',
  run: () => ({
    hostname: hostname(),
    processors: availableParallelism(),
    load: loadavg()[0],
    memory_mib: Math.round(totalmem() / MEBIBYTE),
    free_memory_mib: Math.round(freemem() / MEBIBYTE),
  }),
}
