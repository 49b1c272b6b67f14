import { Dialog } from '../parts/dialog.tsx'
import { PAGES } from './pages.ts'

const KEYS: [keys: string, does: string][] = [
  ['Ctrl K', 'to any page, agent or id, and what can be done'],
  ['/', 'to the filter'],
  ['j k ↑ ↓', 'next, previous row'],
  ['Enter', 'opens the row'],
  ['← →', 'closes, opens a branch of a timeline'],
  ['n N', 'next, previous failure of a timeline'],
  ['Home End', 'first, last row'],
  ['e w', 'opens, closes all branches of a timeline'],
  ['1 … 9', 'opens a timeline so many levels deep'],
  ['+ - 0', 'less, more, all of the time of a timeline; Ctrl and the wheel do it, too'],
  ['z', 'the time of one event of a timeline'],
  ['[ ]', 'previous, next execution of the list'],
  ['.', 'to what can be done'],
  ['r x y', 'replays, cancels, copies the link'],
  ['Esc', 'closes what is open'],
  ['?', 'this help'],
]

/** What the keys do. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const rows = [...PAGES.map(({ key, label }): [string, string] => [`g ${key}`, `to ${label}`]), ...KEYS]
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">
        {rows.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="dim">Single keys can be switched off in the settings at the top right.</p>
    </Dialog>
  )
}
