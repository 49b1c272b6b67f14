import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again until the answer is yes; how long it may take is the test's own limit. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20)
}
