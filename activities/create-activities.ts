import { createCallModel } from './call-model.ts'
import { createCallTool } from './call-tool.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { createListTasks, createPlanShards } from './plan-shards.ts'
import { createReconcile } from './reconcile.ts'
import {
  createRecordBatchStopped,
  createRecordFailure,
  createRecordShardFailure,
  createRecordStopped,
} from './record-outcome.ts'
import { createRunCode } from './run-code.ts'
import { createRunTasks } from './run-tasks.ts'

/** Everything that workflows have done for them, on the parts of one worker. */
export function createActivities(deps: ActivityDependencies) {
  return {
    callModel: createCallModel(deps),
    callTool: createCallTool(deps),
    runCode: createRunCode(deps),
    runTasks: createRunTasks(deps),
    planShards: createPlanShards(deps),
    listTasks: createListTasks(deps),
    recordFailure: createRecordFailure(deps),
    recordShardFailure: createRecordShardFailure(deps),
    recordStopped: createRecordStopped(deps),
    recordBatchStopped: createRecordBatchStopped(deps),
    reconcile: createReconcile(deps),
  }
}

/** What workflows see of the activities. */
export type Activities = ReturnType<typeof createActivities>
