import { records } from './activities.ts'

/** Runs on a schedule: compares MongoDB's running executions with the running workflows, and closes every gap. */
export async function reconcile(): Promise<void> {
  await records.reconcile()
}
