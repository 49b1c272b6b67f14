import { proxyActivities } from '@temporalio/workflow'

const { nothing } = proxyActivities<{ nothing: () => Promise<void> }>({ startToCloseTimeout: '1 minute' })

/** F1: a minimal durable workflow with one activity. */
export async function one(): Promise<void> {
  await nothing()
}

/** F3: many no-op activities, `window` of them concurrent. */
export async function fanOut(count: number, window: number): Promise<void> {
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) await nothing()
  }
  await Promise.all(Array.from({ length: window }, lane))
}
