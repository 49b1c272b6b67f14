import { randomUUID } from 'node:crypto'
import { count, gate } from '../../support/agents/_gate.ts'

export interface Draw {
  v: string
  pad: string
}

/** Gives another value each time, with so many bytes beside it, once the job's gate opens and whatever its signal says. */
export async function draw(jobId: string, bytes: number): Promise<Draw> {
  const v = randomUUID()
  count(jobId, `begin ${process.pid}`)
  await gate(jobId)
  count(jobId, `end ${process.pid}`)
  return { v, pad: 'x'.repeat(bytes) }
}
