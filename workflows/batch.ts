import {
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  condition,
  continueAsNew,
  defineSignal,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  setHandler,
  TerminatedFailure,
  workflowInfo,
} from '@temporalio/workflow'
import { agentActivities, recordActivities } from './activities.ts'
import { describeFailure } from './agent-loop.ts'
import { shard, shardWorkflowId } from './shard.ts'
import { SHARD_WINDOW, type Shard } from './shard-plan.ts'
import { PRIORITY } from './task-queues.ts'

export interface BatchInput {
  batch: string
  /** First task that was not planned yet. */
  from: number
}

/** Tells a batch that tasks were stored. It carries nothing: the batch looks for itself. */
const tasksAdded = defineSignal('tasksAdded')

/** Shards of one run of the workflow; each adds about ten events to the history. */
const MAX_SHARDS_PER_RUN = 500
/** Times that a shard is started before what is left of it fails. */
const MAX_STARTS = 4

/**
 * A batch: an entity that takes tasks as long as it lives and is revived by a signal afterwards. It keeps a window of
 * shards in flight and looks for more whenever one ends or tasks were added.
 */
export async function batch({ batch: id, from }: BatchInput): Promise<void> {
  const shards = new ShardWindow(id, from)
  setHandler(tasksAdded, () => shards.lookAgain())
  try {
    await shards.run()
  } catch (error) {
    if (!isCancellation(error)) throw error
    await CancellationScope.nonCancellable(async () => {
      await shards.drained()
      await recordActivities.recordBatchStopped(id)
    })
    return
  }
  if (shards.full) await continueAsNew<typeof batch>({ batch: id, from: shards.next })
}

/** The shards of a batch that are in flight, and where the next one begins. */
class ShardWindow {
  next: number
  readonly #batch: string
  #planned = 0
  #inFlight = 0
  #look = true

  constructor(id: string, from: number) {
    this.#batch = id
    this.next = from
  }

  /** This run of the workflow has planned all that its history should hold. */
  get full(): boolean {
    return this.#planned >= MAX_SHARDS_PER_RUN || workflowInfo().continueAsNewSuggested
  }

  lookAgain(): void {
    this.#look = true
  }

  async drained(): Promise<void> {
    await condition(() => this.#inFlight === 0)
  }

  /** Runs shards until nothing is left, or until the window is full and has drained. */
  async run(): Promise<void> {
    while (this.#look && !this.full) {
      await this.#fill()
      await condition(() => this.#inFlight === 0 || (this.#look && this.#inFlight < SHARD_WINDOW))
    }
    await this.drained()
  }

  async #fill(): Promise<void> {
    const free = SHARD_WINDOW - this.#inFlight
    this.#look = false
    const plan = await recordActivities.planShards(this.#batch, this.next, free)
    this.next = plan.next
    this.#planned += plan.shards.length
    this.#inFlight += plan.shards.length
    // A full answer means that there may be more: the next free place looks for it.
    const more = plan.shards.length === free
    for (const part of plan.shards) {
      void runShard(part).finally(() => {
        this.#inFlight -= 1
        this.#look ||= more
      })
    }
  }
}

async function runShard(part: Shard): Promise<void> {
  for (let starts = 1; ; starts += 1) {
    try {
      if (part.agent.kind === 'code') await agentActivities(part.agent.pool, PRIORITY.task).runTasks(part)
      else await executeChild(shard, childOptions(part))
      return
    } catch (error) {
      if (isCancellation(error)) return
      // What was terminated goes on from its records: the reconciler ends shards that cannot go on.
      if (isTermination(error) && starts < MAX_STARTS) continue
      const failure = describeFailure(error)
      return await CancellationScope.nonCancellable(() => recordActivities.recordShardFailure(part, failure))
    }
  }
}

function isTermination(error: unknown): boolean {
  return error instanceof ChildWorkflowFailure && error.cause instanceof TerminatedFailure
}

function childOptions(part: Shard) {
  return {
    workflowId: shardWorkflowId(part),
    args: [part] as [Shard],
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    priority: { priorityKey: PRIORITY.task },
    staticSummary: `${part.agent.name}, tasks ${part.from} to ${part.to - 1}`,
  }
}
