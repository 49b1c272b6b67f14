import { TroupeError, type BatchEnd, type Schema } from '../client/index.ts'
import { sleep } from '../client/retry.ts'
import { connectionNotes } from './connection-notes.ts'
import type { Context } from './context.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { failureGroups } from './failure-groups.ts'
import { interruptedError } from './interrupt.ts'
import { number, progressLine } from './progress-line.ts'
import { ProgressRate } from './progress-rate.ts'

type Summary = Schema<'BatchSummary'>

const POLL_MS = 1_000
/** Maximum share of its time that the service spends on one watcher. */
const POLL_SHARE = 20
const PLAIN_NOTE_MS = 10_000
const SHOWN_FAILURES = 5

/**
 * Shows the progress of a batch until its end, then the failures. The stream reports the end; the progress comes from the
 * summary of the service, which is always exact.
 */
export async function followBatch(context: Context, id: string): Promise<ExitCode> {
  const { troupe, terminal, signal, timeoutMs } = context
  const ended = new AbortController()
  const showing = showProgress(context, id, ended.signal)
  try {
    const end = await troupe.batches.wait(id, { signal, timeoutMs, onConnection: connectionNotes(terminal) })
    ended.abort()
    await showing
    return await printEnd(context, end)
  } catch (error) {
    if (!signal.aborted) throw error
    throw interruptedError(`Batch ${id} continues. To follow it, run "troupe batch watch ${id}".`)
  } finally {
    ended.abort()
  }
}

async function showProgress({ troupe, terminal }: Context, id: string, ended: AbortSignal): Promise<void> {
  const rate = new ProgressRate()
  let notedAt = Date.now()
  if (terminal.options.quiet) return
  try {
    while (!ended.aborted) {
      const startedAt = Date.now()
      const { outputs } = await troupe.batches.get(id, { results: false }, { signal: ended })
      const { recorded, total_expected: total, failed } = outputs.summary
      const failures = failed > 0 ? `, ${number(failed)} failed` : ''
      const line = `${progressLine(recorded, total, rate.add(recorded, total, Date.now()))}${failures}`
      if (terminal.canRedraw) terminal.progress(line)
      else if (Date.now() - notedAt >= PLAIN_NOTE_MS) {
        terminal.note(line)
        notedAt = Date.now()
      }
      await sleep(Math.max(POLL_MS, (Date.now() - startedAt) * POLL_SHARE), ended)
    }
  } catch (error) {
    // Errors are reported by the stream, so failures to read the progress are ignored.
    if (!ended.aborted && !(error instanceof TroupeError)) throw error
  }
}

async function printEnd({ troupe, terminal, signal }: Context, end: BatchEnd): Promise<ExitCode> {
  const { batch_id: id, status, summary } = end
  if (terminal.options.json) terminal.document(end)
  else terminal.line(`${id}\t${status}\t${sentence(summary)}`)
  if (summary.failed === 0 && status === 'completed') return EXIT.ok
  const groups = await failureGroups(troupe.batches.results(id, { status: 'error', signal }))
  for (const { error, count, first } of groups.slice(0, SHOWN_FAILURES)) {
    terminal.note(`  ${number(count)} × ${error} (first: task ${first.index + 1}, ${first.task_id})`)
  }
  if (groups.length > SHOWN_FAILURES) terminal.note(`  … and ${groups.length - SHOWN_FAILURES} other errors`)
  terminal.note(
    `To see the failed tasks, run "troupe batch results ${id} --failed"; to run them again, "troupe batch retry ${id}".`,
  )
  terminal.note(
    'To correct their inputs, add "--inputs -o failed.csv" to the first command, edit the file and run "troupe batch submit".',
  )
  return EXIT.failed
}

/** A summary as text. */
export function sentence({ succeeded, failed, recorded, total_expected: total }: Summary): string {
  const left = total - recorded
  return `${number(succeeded)} succeeded, ${number(failed)} failed${left > 0 ? `, ${number(left)} remaining` : ''}`
}
