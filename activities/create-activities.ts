import { beginLeg, poolOf } from './begin-leg.ts'
import type { ActivityDependencies } from './dependencies.ts'
import type { InProcessRuns } from './attempt/in-process-runs.ts'
import { planRanges } from './plan-ranges.ts'
import { createReconcile } from './reconcile.ts'
import { recordBatchStopped, recordFailure, recordRangeFailure, recordStopped } from './record-outcome.ts'
import { runLeg } from './run-leg.ts'
import { createRunTasks } from './run-tasks.ts'
import type { Activities } from '../workflows/activities.ts'

/** Creates the activities from the parts of one worker. */
export function createActivities(deps: ActivityDependencies, runs: InProcessRuns): Activities {
  return {
    beginLeg: beginLeg.bind(null, deps, runs),
    runLeg: runLeg.bind(null, deps, runs),
    runTasks: createRunTasks(deps, runs),
    planRanges: planRanges.bind(null, deps),
    poolOf: poolOf.bind(null, deps),
    recordFailure: recordFailure.bind(null, deps),
    recordRangeFailure: recordRangeFailure.bind(null, deps),
    recordStopped: recordStopped.bind(null, deps),
    recordBatchStopped: recordBatchStopped.bind(null, deps),
    reconcile: createReconcile(deps),
  }
}
