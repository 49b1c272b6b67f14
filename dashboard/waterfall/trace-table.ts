/** Columns of the outline, as the service sends them. */
export interface OutlineColumns {
  id: number[]
  parent: number[]
  name: number[]
  agent: number[]
  type: number[]
  start: number[]
  duration: number[]
  failed: number[]
  prompt_tokens: number[]
  completion_tokens: number[]
}

/** One event that is added on its own. */
export interface TableRow {
  id: number
  parent: number
  name: string
  agent: string
  type: string
  /** Milliseconds since 1970. */
  startMs: number
  duration: number
  failed: boolean
  prompt_tokens: number
  completion_tokens: number
}

const NONE = -1

/** The events of one execution: plain columns, so that 100,000 of them cost some megabytes and no objects. */
export class TraceTable {
  /** Milliseconds since 1970 that `start` counts from. */
  originMs = 0
  readonly id: number[] = []
  readonly name: string[] = []
  readonly agent: string[] = []
  readonly type: string[] = []
  readonly start: number[] = []
  readonly duration: number[] = []
  readonly failed: boolean[] = []
  readonly promptTokens: number[] = []
  readonly completionTokens: number[] = []
  /** Row of the parent, of the first child, of the last one, and of the next of the same parent; -1 for none. */
  readonly parent: number[] = []
  readonly firstChild: number[] = []
  readonly lastChild: number[] = []
  readonly next: number[] = []
  readonly depth: number[] = []
  /** The end of what a row spans: its own, or its latest descendant's. */
  readonly end: number[] = []
  /** Whether an agent's run has ended; true for everything else. */
  readonly closed: boolean[] = []
  /** Failures among a row and its descendants. */
  readonly failures: number[] = []
  firstRoot = NONE
  #lastRoot = NONE
  readonly #rowOf = new Map<number, number>()

  get size(): number {
    return this.id.length
  }

  get lastId(): number {
    return this.id.at(-1) ?? 0
  }

  /** The latest end of all. */
  endMs = 0
  /** When the last event was written, from the beginning. */
  lastMs = 0

  /** The row of an event; undefined for one that is not there. */
  rowOf(id: number): number | undefined {
    return this.#rowOf.get(id)
  }

  /** Adds a page of the outline. */
  addOutline(names: string[], types: string[], columns: OutlineColumns, originMs: number): void {
    if (this.size === 0) this.originMs = originMs
    const shift = originMs - this.originMs
    for (let index = 0; index < columns.id.length; index += 1) {
      this.#add({
        id: columns.id[index] as number,
        parent: columns.parent[index] as number,
        name: names[columns.name[index] as number] ?? '',
        agent: names[columns.agent[index] as number] ?? '',
        type: types[columns.type[index] as number] ?? '',
        startMs: (columns.start[index] as number) + shift,
        duration: columns.duration[index] as number,
        failed: columns.failed[index] === 1,
        prompt_tokens: columns.prompt_tokens[index] as number,
        completion_tokens: columns.completion_tokens[index] as number,
      })
    }
  }

  /** Adds an event that has just happened; one that is there already is left out. */
  add(row: TableRow): void {
    if (this.size === 0) this.originMs = row.startMs
    this.#add({ ...row, startMs: row.startMs - this.originMs })
  }

  #add(event: TableRow): void {
    if (event.id <= this.lastId) return
    const row = this.size
    const parent = event.parent === 0 ? NONE : (this.#rowOf.get(event.parent) ?? NONE)
    this.#rowOf.set(event.id, row)
    this.id.push(event.id)
    this.name.push(event.name)
    this.agent.push(event.agent)
    this.type.push(event.type)
    this.start.push(event.startMs)
    this.duration.push(event.duration)
    this.failed.push(event.failed)
    this.promptTokens.push(event.prompt_tokens)
    this.completionTokens.push(event.completion_tokens)
    this.parent.push(parent)
    this.firstChild.push(NONE)
    this.lastChild.push(NONE)
    this.next.push(NONE)
    this.depth.push(parent === NONE ? 0 : (this.depth[parent] as number) + 1)
    // The end of a task is told by its event: that has no length of its own.
    const length = event.type === 'task_complete' ? 0 : Math.max(0, event.duration)
    this.end.push(event.startMs + length)
    this.closed.push(event.type !== 'task_start')
    this.failures.push(event.failed ? 1 : 0)
    this.#link(row, parent)
    this.#grow(row, event)
  }

  #link(row: number, parent: number): void {
    if (parent === NONE) {
      if (this.#lastRoot === NONE) this.firstRoot = row
      else this.next[this.#lastRoot] = row
      this.#lastRoot = row
      return
    }
    const last = this.lastChild[parent] as number
    if (last === NONE) this.firstChild[parent] = row
    else this.next[last] = row
    this.lastChild[parent] = row
  }

  /** What a row says of its descendants. */
  #grow(row: number, event: TableRow): void {
    const end = this.end[row] as number
    this.endMs = Math.max(this.endMs, end)
    this.lastMs = end
    if (event.type === 'task_complete') {
      const parent = this.parent[row] as number
      if (parent !== NONE) this.closed[parent] = true
    }
    for (let above = this.parent[row] as number; above !== NONE; above = this.parent[above] as number) {
      if (end > (this.end[above] as number)) this.end[above] = end
      if (event.failed) this.failures[above] = (this.failures[above] as number) + 1
    }
  }
}
