/**
 * The grammar of positions within an execution. A path identifies an agent run or one of its recorded steps. With the
 * job's id, it is the key of the step's record.
 *
 *     run   = chain index | run ">" call         0, 1 … for the agents of a chain; a called agent runs below its call
 *     call  = model call "." tool call           m00002.c001: the second tool call of the third model call
 *           | [ call "." ] code call             k<hash>-00000: an agent called by code
 *     step  = run "." ( model call | call | mark ) | run (end of an agent that is not the last) | "end" | "stopped"
 *     mark  = "start" | "check-in" | "check-out" | model call ".repair" | step ".e00000" … | model call ".h" hash
 *     warned = ( "batch" | "execution" | run ) ".warned"   most of its budget is spent
 *
 * Numbers have a fixed width, so that keys sort in the order of the steps.
 */

/** Maximum depth of nested delegations. */
export const MAX_DEPTH_OF_CALLS = 8

/** Kinds of steps that code does exactly once: a called agent, a step, a wait. */
export type CodeStepKind = 'k' | 's' | 'z'

/** Key of a step's record. */
export function stepKey(jobId: string, path: string): string {
  return `${jobId}|${path}`
}

/** The path part of a step's key. */
export function pathOfKey(key: string): string {
  return key.slice(key.indexOf('|') + 1)
}

/** Nesting depth of an agent run: 0 for an agent of the chain. */
export function depthOf(path: string): number {
  return path.split('>').length - 1
}

/** Path of the agent run that a call of the run at `path` starts. */
export function calledPath(path: string, call: string): string {
  return `${path}>${call}`
}

/** The calling run of a run, and the call's path below it; undefined for an agent of the chain. */
export function callerOf(path: string): { path: string; call: string } | undefined {
  const cut = path.lastIndexOf('>')
  return cut < 0 ? undefined : { path: path.slice(0, cut), call: path.slice(cut + 1) }
}

/**
 * Path of the record of a run's end. For a called agent it is the record of the call, for the last agent of a chain the
 * end of the execution.
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

/** Path of the record of a called agent's inputs. */
export function inputsPath(callPath: string): string {
  return `${callPath}.in`
}

/** Path of the record of the `count`-th failed attempt (from 0) at the step at `path`. */
export function failurePath(path: string, count: number): string {
  return `${path}.e${pad(count, 5)}`
}

/** Whether a path belongs to the record of a failed attempt. */
export function isFailurePath(path: string): boolean {
  return /\.e\d{5}$/.test(path)
}

/** Path of the record of the outcome of an agent's `checkInput` or `checkOutput`. */
export function checkPath(path: string, checked: 'in' | 'out'): string {
  return `${path}.check-${checked}`
}

/**
 * Path of the record of a hedged call that lost against the call at `path`.
 * @param id - hex id of the lost call; each call was paid for.
 */
export function hedgePath(path: string, id: string): string {
  return `${path}.h${id}`
}

/** Path, below the agent, of the record that a response did not fit the schema and was sent back to the model. */
export function repairPath(step: number): string {
  return `${modelCall(step)}.repair`
}

/**
 * Path of the record that most of a budget is spent.
 * @param of - `batch`, `execution`, or the path of the run that owns the budget.
 */
export function warnedPath(of: string): string {
  return `${of}.warned`
}

/** Path of a model call below its agent. */
export function modelCall(step: number): string {
  return `m${pad(step, 5)}`
}

/** Path of one tool call of a model response below its agent. */
export function toolCall(step: number, index: number): string {
  return `${modelCall(step)}.c${pad(index, 3)}`
}

/** The model call and index of a tool call's path below an agent; undefined if the path is not a tool call. */
export function parseToolCall(call: string): { step: number; index: number } | undefined {
  const match = /^m(\d{5,})\.c(\d{3,})$/.exec(call)
  return match === null ? undefined : { step: Number(match[1]), index: Number(match[2]) }
}

/**
 * Path of a step of code below `base` (the path of the agent or of its tool call).
 * @param hash - hex digits that identify the step.
 * @param occurrence - number of earlier steps with the same identity in this run of the code.
 */
export function codeStep(base: string, kind: CodeStepKind, hash: string, occurrence: number): string {
  return `${base}.${kind}${hash}-${pad(occurrence, 5)}`
}

/** Whether code made the call at this path below an agent. */
export function isCodeCall(call: string): boolean {
  return /(^|\.)k[0-9a-f]+-\d+$/.test(call)
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
