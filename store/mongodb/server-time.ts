import type { Store } from './connect.ts'

/**
 * What time it is for MongoDB, in ms since the epoch. Workers agree on it, whatever their own clocks say.
 * @throws the errors of the driver
 */
export async function serverTime({ db }: Pick<Store, 'db'>): Promise<number> {
  const { localTime } = await db.command({ hello: 1 })
  return (localTime as Date).getTime()
}
