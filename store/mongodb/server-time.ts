import type { Store } from './connect.ts'

/**
 * Returns MongoDB's time in ms since the epoch. All workers agree on it, independent of their own clocks.
 * @throws the errors of the driver
 */
export async function serverTime({ db }: Pick<Store, 'db'>): Promise<number> {
  const { localTime } = await db.command({ hello: 1 })
  return (localTime as Date).getTime()
}
