import { expect } from 'chai'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saySilently } from '../../dev/say.ts'
import { runChaos } from './run.ts'
import { startTopology } from './topology.ts'

const MINUTES = 0.75

describe('The service under random load and random faults', function () {
  // Afterwards everything that was accepted has to come to rest.
  this.timeout(480_000)

  it('loses, repeats and changes nothing that clients were told', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'troupe-chaos-'))
    const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
    const topology = await startTopology({ folder, apis: 2, workers: 3 })
    const options = { folder, seed, minutes: MINUTES, say: saySilently, longestMs: 12_000 }
    const { violations, seen } = await runChaos(topology, options)
    const journal = await readFile(join(folder, 'journal.jsonl'), 'utf8')
    await rm(folder, { recursive: true, force: true })
    expect(violations, `seed ${seed}: the journal ends\n${journal.slice(-2_000)}`).to.deep.equal([])
    expect(seen.accepted).to.be.greaterThan(10)
    expect(seen['trace events']).to.be.greaterThan(100)
  })
})
