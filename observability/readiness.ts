import type { Client, Connection } from '@temporalio/client'
import pTimeout from 'p-timeout'
import type { Store } from '../store/mongodb/connect.ts'

/** A dependency without which a process cannot work. */
export interface Need {
  /** Whether the dependency is available; false if that is unknown after a second and a half. */
  met: () => Promise<boolean>
  /** The sentence for an unavailable dependency. */
  otherwise: string
}

const PING_MS = 1_000
const TIMEOUT_MS = 1_500

/** @returns one sentence for everything that is missing; none when the process can work. */
export async function problems(needs: readonly Need[]): Promise<string[]> {
  const sentences = await Promise.all(needs.map(async ({ met, otherwise }) => ((await inTime(met)) ? [] : [otherwise])))
  return sentences.flat()
}

/** Checks that MongoDB responds. */
export function needsMongodb({ db }: Pick<Store, 'db'>): Need {
  return {
    met: () => db.command({ ping: 1 }, { timeoutMS: PING_MS }).then(() => true),
    otherwise: 'MongoDB cannot be reached.',
  }
}

/**
 * Checks that Temporal responds.
 * @param client - undefined before the first connection.
 */
export function needsTemporal(client: () => Client | undefined): Need {
  return {
    met: async () => {
      const temporal = client()
      if (temporal === undefined) return false
      const { workflowService } = temporal.connection as Connection
      await temporal.withDeadline(Date.now() + PING_MS, () => workflowService.getSystemInfo({}))
      return true
    },
    otherwise: 'Temporal cannot be reached.',
  }
}

function inTime(met: () => Promise<boolean>): Promise<boolean> {
  return pTimeout(met(), { milliseconds: TIMEOUT_MS, fallback: () => false }).catch(() => false)
}
