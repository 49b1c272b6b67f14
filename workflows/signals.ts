import type { SignalDefinition } from '@temporalio/common'

// Plain data: clients, too, send these signals, and need nothing of a workflow's sandbox for it.

/** Tells a batch that tasks were stored. It carries nothing: the batch looks for itself. */
export const tasksAdded: SignalDefinition = { type: 'signal', name: 'tasksAdded' } as SignalDefinition

/** A range of a batch, by its first index, says how many of its tasks are left. */
export const tasksFreed: SignalDefinition<[from: number, left: number]> = {
  type: 'signal',
  name: 'tasksFreed',
} as never
