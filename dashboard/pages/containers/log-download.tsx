import { useState, type FormEvent } from 'react'
import { troupe } from '../../api/session.ts'
import { serverNow } from '../../live/clock.ts'
import { mergeLines, type LogLine } from '../../live/log-lines.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/store.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { downloadText } from '../../parts/download.ts'
import { formatCount, formatTime, type Zone } from '../../parts/format.ts'
import { notify } from '../../shell/toasts.tsx'

const HOUR_MS = 3_600_000
const MOST_LINES = 1_000_000

interface LogDownloadProps {
  names: string[]
  /** Those that are shown. */
  lines: readonly LogLine[]
}

/** Saves the lines that are shown, or all of a period. */
export function LogDownload({ names, lines }: LogDownloadProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <details className="menu">
        <summary>Download</summary>
        <div className="menu-body">
          <button type="button" onClick={() => save(names, lines)}>
            What is shown
          </button>
          <button type="button" onClick={() => setAsking(true)}>
            A period …
          </button>
        </div>
      </details>
      {isAsking && <PeriodDialog names={names} onClose={() => setAsking(false)} />}
    </>
  )
}

function PeriodDialog({ names, onClose }: { names: string[]; onClose: () => void }) {
  const { zone } = useStore(preferences)
  const [from, setFrom] = useState(() => asField(serverNow() - HOUR_MS, zone))
  const [to, setTo] = useState(() => asField(serverNow(), zone))
  const [isReading, setReading] = useState(false)
  const fromMs = momentOf(from, zone)
  const toMs = momentOf(to, zone)
  const isPeriod = fromMs <= toMs
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setReading(true)
    try {
      save(names, await readPeriod(names, fromMs, toMs))
      onClose()
    } catch (error) {
      notify((error as Error).message)
      setReading(false)
    }
  }
  return (
    <Dialog title="Download a period" onClose={onClose}>
      <form className="dialog-text stack" onSubmit={(event) => void submit(event)}>
        <p>
          The lines of {names.join(', ')}, in the order of their times. Of a log of more than 16 MB in this period, the
          newest lines.
        </p>
        <label>
          From ({zone === 'utc' ? 'UTC' : 'local time'})
          <input
            type="datetime-local"
            step={1}
            required
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
        </label>
        <label>
          To
          <input
            type="datetime-local"
            step={1}
            required
            value={to}
            aria-invalid={!isPeriod}
            onChange={({ target }) => setTo(target.value)}
          />
        </label>
        {!isPeriod && <p className="field-error">It ends before it begins.</p>}
        <footer className="dialog-foot">
          <button type="submit" className="primary" disabled={isReading || !isPeriod}>
            {isReading ? 'Reading …' : 'Download'}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** All lines of a period, its last second included. */
async function readPeriod(names: string[], fromMs: number, toMs: number): Promise<LogLine[]> {
  // The service gives what is after `since`.
  const since = new Date(fromMs - 1).toISOString()
  const end = new Date(toMs + 1_000).toISOString()
  let lines: LogLine[] = []
  for (const source of names) {
    const { logs } = await troupe().containers.log(source, { since, tail: MOST_LINES })
    const read = logs
      .filter(({ timestamp }) => timestamp < end)
      .map((entry) => ({ ...entry, key: 0, source, sortedBy: entry.timestamp, text: '', isNote: false }))
    lines = mergeLines(lines, read)
  }
  return lines
}

/** As the log has them; where there are several logs, with the name of the container. */
function save(names: string[], lines: readonly LogLine[]): void {
  const written = lines.filter(({ isNote }) => !isNote)
  const texts = written.map(({ timestamp, source, message }) =>
    names.length === 1 ? `${timestamp} ${message}\n` : `${timestamp} ${source} ${message}\n`,
  )
  downloadText(texts, `${names.join('+')}.log`, 'text/plain')
  notify(`Saved ${formatCount(written.length)} ${written.length === 1 ? 'line' : 'lines'}.`)
}

/** A moment as the field for it wants it, in the zone that was chosen. */
function asField(ms: number, zone: Zone): string {
  return formatTime(ms, zone).slice(0, 19).replace(' ', 'T')
}

function momentOf(field: string, zone: Zone): number {
  return Date.parse(zone === 'utc' ? `${field}Z` : field)
}
