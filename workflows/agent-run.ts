import type { AgentPlace } from '../store/documents.ts'

/**
 * One agent at work within an execution, by reference: everything else is in MongoDB.
 *
 * `path` names its place: `0`, `1` … are the agents of a chain, `0>m0002.c01` the agent that `0` delegated to with the
 * second call of its third model answer, `0>k0000` one that its code called.
 */
export interface AgentRun {
  job: string
  batch?: string
  path: string
  agent: AgentPlace
  /** Whether its end is the end of the execution. */
  last: boolean
  /** Of a delegated agent: who delegated, and the id of that agent's task_start. */
  by?: { agent: string; start: number | null }
}

export type RunStatus = 'completed' | 'failed' | 'canceled'

/** A call that a model asked for and that is not recorded yet. */
export interface PlannedCall {
  /** Path of the call below its agent: `m0002.c01`. */
  step: string
  name: string
  /** Set when the call is a delegation. */
  delegate?: AgentPlace
}

/** What a model call led to: calls to make, or the end of the agent. */
export type ModelStep = { status: 'calls'; calls: PlannedCall[]; start: number | null } | { status: RunStatus }

/**
 * What became of code that was started beside its workflow: its end, the queue of the worker where it goes on, or nothing.
 */
export type CodeStart = { status: RunStatus } | { status: 'running'; queue: string } | { status: 'not_started' }

/** Delegations inside delegations that are allowed. */
export const MAX_DELEGATION_DEPTH = 8

/** How deep an agent is nested: 0 for an agent of the chain. */
export function depthOf(run: Pick<AgentRun, 'path'>): number {
  return run.path.split('>').length - 1
}

/** Path of the agent that runs for a call of another agent. */
export function delegatedPath(path: string, step: string): string {
  return `${path}>${step}`
}

/**
 * Path of the record that says how an agent ended: a delegated agent's is the record of the call that it answers, the last
 * one of a chain ends the execution.
 */
export function endPath(run: Pick<AgentRun, 'path' | 'last'>): string {
  const cut = run.path.lastIndexOf('>')
  if (cut >= 0) return `${run.path.slice(0, cut)}.${run.path.slice(cut + 1)}`
  return run.last ? 'end' : run.path
}
