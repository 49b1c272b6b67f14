import type { SignalDefinition } from '@temporalio/common'

// Plain objects, because clients send these signals too and must not load the workflow sandbox for it.

/** Tells a batch that tasks were stored. It has no arguments: the batch reads the tasks itself. */
export const tasksAdded: SignalDefinition = { type: 'signal', name: 'tasksAdded' } as SignalDefinition

/** Reports how many tasks are left in the range of a batch with this first index. */
export const tasksFreed: SignalDefinition<[from: number, left: number]> = {
  type: 'signal',
  name: 'tasksFreed',
} as never
