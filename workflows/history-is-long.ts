import { workflowInfo } from '@temporalio/workflow'

/** Whether the history of this workflow has to begin anew: it has more events, or Temporal says so. */
export function historyIsLong(maxEvents: number): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo()
  return continueAsNewSuggested || historyLength > maxEvents
}
