import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { preferences } from '../live/preferences.ts'
import { useStore } from '../live/store.ts'
import { LongText } from './long-text.tsx'
import { Segmented } from './segmented.tsx'

const FormattedText = lazy(() => import('./formatted-text.tsx'))

/** Longer ones stay text: reading Markdown takes the page's time. */
const MOST_CHARACTERS = 50_000

/** What an agent answered: as it wrote it, or with its Markdown formatted, as was chosen. Data stay data. */
export function Answer({ text }: { text: string }) {
  const { formatted } = useStore(preferences)
  const plain = (
    <p className="as-written">
      <LongText text={text} />
    </p>
  )
  if (!formatted || text.startsWith('{') || text.length > MOST_CHARACTERS) return plain
  return (
    <CatchBoundary getResetKey={() => text} errorComponent={() => plain}>
      <Suspense fallback={plain}>
        <FormattedText text={text} otherwise={plain} />
      </Suspense>
    </CatchBoundary>
  )
}

/** How answers are shown, here and everywhere. */
export function AnswerForm() {
  const { formatted } = useStore(preferences)
  return (
    <Segmented
      label="Answers as"
      options={[
        { value: 'text', label: 'Text' },
        { value: 'formatted', label: 'Formatted' },
      ]}
      value={formatted ? 'formatted' : 'text'}
      onChange={(value) => preferences.update({ formatted: value === 'formatted' })}
    />
  )
}
