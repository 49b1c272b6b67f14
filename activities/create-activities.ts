import { createBeginLeg, createPoolOf } from './begin-leg.ts'
import type { ActivityDependencies } from './dependencies.ts'
import type { InProcessRuns } from './attempt/in-process-runs.ts'
import { createPlanRanges } from './plan-ranges.ts'
import { createReconcile } from './reconcile.ts'
import {
  createRecordBatchStopped,
  createRecordFailure,
  createRecordRangeFailure,
  createRecordStopped,
} from './record-outcome.ts'
import { createRunLeg } from './run-leg.ts'
import { createRunTasks } from './run-tasks.ts'

/** Everything that workflows have done for them, on the parts of one worker. */
export function createActivities(deps: ActivityDependencies, runs: InProcessRuns) {
  return {
    beginLeg: createBeginLeg(deps, runs),
    runLeg: createRunLeg(deps, runs),
    runTasks: createRunTasks(deps, runs),
    planRanges: createPlanRanges(deps),
    poolOf: createPoolOf(deps),
    recordFailure: createRecordFailure(deps),
    recordRangeFailure: createRecordRangeFailure(deps),
    recordStopped: createRecordStopped(deps),
    recordBatchStopped: createRecordBatchStopped(deps),
    reconcile: createReconcile(deps),
  }
}

/** What workflows see of the activities. */
export type Activities = ReturnType<typeof createActivities>
