import { proxyActivities } from '@temporalio/workflow'

const { nothing } = proxyActivities<{ nothing: () => Promise<void> }>({ startToCloseTimeout: '1 minute' })

/** F1: the least that a durable workflow with one activity can be. */
export async function one(): Promise<void> {
  await nothing()
}

/** F3: many no-op activities, `window` of them in flight. */
export async function fanOut(count: number, window: number): Promise<void> {
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) await nothing()
  }
  await Promise.all(Array.from({ length: window }, lane))
}
