import { createCallModel } from './call-model.ts'
import { createCallTool } from './call-tool.ts'
import { createCodeRuns, type CodeRuns } from './code-runs.ts'
import type { ActivityDependencies } from './dependencies.ts'
import { createListTasks, createPlanShards } from './plan-shards.ts'
import { createReconcile } from './reconcile.ts'
import {
  createRecordBatchStopped,
  createRecordFailure,
  createRecordShardFailure,
  createRecordStopped,
} from './record-outcome.ts'
import { createRunCode, runUnrecorded } from './run-code.ts'
import { createRunTasks } from './run-tasks.ts'
import { createStartCode } from './start-code.ts'

/** The runs of plain code of one worker. */
export function createRuns(deps: ActivityDependencies): CodeRuns {
  return createCodeRuns(deps, (run, scope) => runUnrecorded(deps, run, scope))
}

/** Everything that workflows have done for them, on the parts of one worker. */
export function createActivities(deps: ActivityDependencies, codeRuns: CodeRuns) {
  return {
    callModel: createCallModel(deps),
    callTool: createCallTool(deps),
    startCode: createStartCode(deps, codeRuns),
    runCode: createRunCode(codeRuns),
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
