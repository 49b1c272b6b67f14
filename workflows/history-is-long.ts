import { workflowInfo } from '@temporalio/workflow'

/** Whether this workflow must continue as new: the history exceeds the limit, or Temporal suggests it. */
export function historyIsLong(maxEvents: number): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo()
  return continueAsNewSuggested || historyLength > maxEvents
}
