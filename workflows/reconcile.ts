import { records } from './activities.ts'

/** Started by a schedule: compares what MongoDB says is running with what runs, and closes every gap. */
export async function reconcile(): Promise<void> {
  await records.reconcile()
}
