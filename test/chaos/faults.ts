import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../core/errors.ts'
import { now, type Journal } from './journal.ts'
import { Random } from './random.ts'
import type { Part, Topology, Wire } from './topology.ts'

/** How likely each fault is. */
const FAULTS = { kill: 8, stop: 3, isolate: 3, end: 2, roll: 1, cut: 4, freeze: 3, mute: 2, slow: 3, disk: 1, clock: 1 }
type FaultName = keyof typeof FAULTS

interface Fault {
  name: FaultName
  /** What it needs for itself while it lasts. */
  targets: string[]
  /** Process ids at whose hands work may have been lost. */
  run: (rest: (ms: number) => Promise<void>) => Promise<void>
}

export interface FaultsOptions {
  topology: Topology
  journal: Journal
  seed: number
  /** Faults at the same time. */
  lanes: number
  /** The longest that a part is stopped or a wire frozen. */
  longestMs: number
}

/** Makes faults until it is told to end; everything is whole again then. */
export function startFaults(options: FaultsOptions): { end: () => Promise<void> } {
  const ending = new AbortController()
  const busy = new Set<string>()
  const lanes = Array.from({ length: options.lanes }, (_, lane) => runLane(options, lane, busy, ending.signal))
  return {
    end: async () => {
      ending.abort()
      await Promise.all(lanes)
    },
  }
}

async function runLane(options: FaultsOptions, lane: number, busy: Set<string>, signal: AbortSignal): Promise<void> {
  const { journal, seed } = options
  const random = new Random(seed, `faults ${lane}`)
  const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted) {
    await rest(random.between(500, 6_000))
    if (signal.aborted) return
    const fault = chooseFault(options, random)
    if (fault === undefined || fault.targets.some((target) => busy.has(target))) continue
    for (const target of fault.targets) busy.add(target)
    const from = now()
    const pids = options.topology.parts.filter(({ name }) => fault.targets.includes(name)).map(({ pid }) => pid)
    let error: string | undefined
    await fault.run(async (ms) => void (await rest(ms))).catch((thrown: unknown) => (error = messageOf(thrown)))
    journal.add({ from, to: now(), who: 'chaos', what: fault.name, targets: fault.targets, pids, error })
    for (const target of fault.targets) busy.delete(target)
  }
}

function chooseFault({ topology, longestMs }: FaultsOptions, random: Random): Fault | undefined {
  const name = random.weighted(FAULTS)
  const ms = Math.round(100 + random.next() ** 4 * longestMs)
  const { parts, wires, disks, clocks } = topology
  const onPart = (run: (part: Part, rest: (ms: number) => Promise<void>) => Promise<void>): Fault => {
    // Workers are where the work is.
    const part = random.pick([...parts, ...parts.filter(({ kind }) => kind === 'worker')])
    return { name, targets: [part.name], run: (rest) => run(part, rest) }
  }
  const onWire = (begin: (wire: Wire) => void): Fault => {
    const wire = random.pick(wires)
    const run = async (rest: (ms: number) => Promise<void>) => {
      begin(wire)
      await rest(ms)
      wire.proxy.mend()
    }
    return { name, targets: [wire.name], run }
  }
  switch (name) {
    case 'kill':
      return onPart(async (part, rest) => {
        await part.kill()
        await rest(ms / 4)
        await part.start()
      })
    case 'end':
      return onPart(async (part) => {
        await part.end()
        await part.start()
      })
    case 'stop':
      return onPart(async (part, rest) => {
        await part.freeze()
        await rest(ms)
        await part.thaw()
      })
    case 'isolate':
      return onPart(async (part, rest) => {
        await part.isolate?.()
        await rest(ms)
        await part.rejoin?.()
      })
    case 'roll': {
      const kind = random.pick(['api', 'worker'] as const)
      const rolled = parts.filter((part) => part.kind === kind)
      const run = async () => {
        for (const part of rolled) {
          await part.end()
          await part.start()
        }
      }
      return { name, targets: rolled.map((part) => part.name), run }
    }
    case 'cut':
      return onWire(({ proxy }) => proxy.cut())
    case 'freeze': {
      const newToo = random.chance(0.5)
      return onWire(({ proxy }) => proxy.freeze(newToo))
    }
    case 'mute':
      return onWire(({ proxy }) => proxy.mute())
    case 'slow': {
      const delayMs = random.between(20, 400)
      return onWire(({ proxy }) => proxy.slow(delayMs))
    }
    case 'disk': {
      const server = random.pick(['temporal', 'mongod', 's3'] as const)
      const disk = disks[server]
      const part = parts.find((each) => each.name === server)
      if (disk === undefined || part === undefined) return undefined
      const run = async (rest: (ms: number) => Promise<void>) => {
        await disk.fill()
        await rest(ms / 3)
        await disk.free()
        // A server that cannot write may have ended.
        await sleep(500)
        if (part.pid === undefined) await part.start()
      }
      return { name, targets: [server], run }
    }
    case 'clock': {
      const clock = random.pick(clocks)
      if (clock === undefined) return undefined
      const seconds = Math.round(random.pick([-1, 1]) * 10 ** (random.next() * 3.5))
      const run = async (rest: (ms: number) => Promise<void>) => {
        await writeFile(clock.file, `${seconds < 0 ? '' : '+'}${seconds}`)
        await rest(ms)
        if (random.chance(0.5)) await writeFile(clock.file, '+0')
      }
      return { name, targets: [`${clock.worker} clock`], run }
    }
  }
}
