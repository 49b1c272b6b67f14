/**
 * The grammar of positions within an execution. A path names an agent run or one recorded step of it; with the job's id it
 * is the key of the step's record.
 *
 *     run   = chain index | run ">" call         0, 1 … are the agents of a chain; a called agent runs below its call
 *     call  = model call "." tool call           m00002.c001: the third model call asked for it, as its second call
 *           | [ call "." ] code call             k<hash>-00000: an agent that code called
 *     step  = run "." ( model call | call | mark ) | run (end of an agent that is not the last) | "end" | "stopped"
 *     mark  = "start" | "check-in" | "check-out" | model call ".repair" | step ".e00000" … | model call ".h" hash
 *     warned = ( "batch" | "execution" | run ) ".warned"   most of the budget of one of these is spent
 *
 * Numbers have a fixed width, so that the order of keys is the order of steps.
 */

/** Delegations inside delegations that are allowed. */
export const MAX_DEPTH_OF_CALLS = 8

/** What code has done once only, by kind: a called agent, a step of its own, a wait. */
export type CodeStepKind = 'k' | 's' | 'z'

/** Key of a step's record. */
export function stepKey(jobId: string, path: string): string {
  return `${jobId}|${path}`
}

/** The path in a step's key. */
export function pathOfKey(key: string): string {
  return key.slice(key.indexOf('|') + 1)
}

/** How deep an agent run is nested: 0 for an agent of the chain. */
export function depthOf(path: string): number {
  return path.split('>').length - 1
}

/** Path of the agent that runs for a call of the run at `path`. */
export function calledPath(path: string, call: string): string {
  return `${path}>${call}`
}

/** The run that made the call which the run at `path` answers, and the call's path below it; undefined for an agent of the chain. */
export function callerOf(path: string): { path: string; call: string } | undefined {
  const cut = path.lastIndexOf('>')
  return cut < 0 ? undefined : { path: path.slice(0, cut), call: path.slice(cut + 1) }
}

/**
 * Path of the record that says how a run ended: a called agent's is the record of the call that it answers, the last one of
 * a chain ends the execution.
 */
export function endPath({ path, last }: { path: string; last: boolean }): string {
  const caller = callerOf(path)
  if (caller !== undefined) return `${caller.path}.${caller.call}`
  return last ? 'end' : path
}

/** Path of the record of a nested run's start. */
export function startPath(path: string): string {
  return `${path}.start`
}

/** Path of the record of what a called agent was given. */
export function inputsPath(callPath: string): string {
  return `${callPath}.in`
}

/** Path of the record of the `count`-th failed attempt (from 0) at the step at `path`. */
export function failurePath(path: string, count: number): string {
  return `${path}.e${pad(count, 5)}`
}

/** Whether a path is that of a failed attempt's record. */
export function isFailurePath(path: string): boolean {
  return /\.e\d{5}$/.test(path)
}

/** Path of the record of what an agent's `checkInput` or `checkOutput` said. */
export function checkPath(path: string, checked: 'in' | 'out'): string {
  return `${path}.check-${checked}`
}

/** Path of the record of a second call that lost against the one at `path`. @param id - its own, in hex: each was paid for. */
export function hedgePath(path: string, id: string): string {
  return `${path}.h${id}`
}

/** Path, below its agent, of the record that a model call's answer did not fit and was sent back. */
export function repairPath(step: number): string {
  return `${modelCall(step)}.repair`
}

/** Path of the record that most of a budget is spent. @param of - `batch`, `execution`, or the path of the run whose it is */
export function warnedPath(of: string): string {
  return `${of}.warned`
}

/** Path of a model call below its agent. */
export function modelCall(step: number): string {
  return `m${pad(step, 5)}`
}

/** Path of one call of a model's answer below its agent. */
export function toolCall(step: number, index: number): string {
  return `${modelCall(step)}.c${pad(index, 3)}`
}

/** Which call of which model call a path below an agent is; undefined when it is none. */
export function parseToolCall(call: string): { step: number; index: number } | undefined {
  const match = /^m(\d{5,})\.c(\d{3,})$/.exec(call)
  return match === null ? undefined : { step: Number(match[1]), index: Number(match[2]) }
}

/**
 * Path of what code had done once, below `base` (the agent's path, or its tool call's).
 * @param hash - hex digits of what identifies it.
 * @param occurrence - how many of the same identity came before it in this run of the code.
 */
export function codeStep(base: string, kind: CodeStepKind, hash: string, occurrence: number): string {
  return `${base}.${kind}${hash}-${pad(occurrence, 5)}`
}

/** Whether a call, below its agent, was made by code. */
export function isCodeCall(call: string): boolean {
  return /(^|\.)k[0-9a-f]+-\d+$/.test(call)
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
