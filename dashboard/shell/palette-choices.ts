/** Something that the palette leads to or does. */
export interface Choice {
  label: string
  /** What kind of thing it is: shown beside it, and found by too. */
  kind: string
  run: () => unknown
}

const SHOWN = 12

/** The choices that hold every word that was typed, those that begin with it first. */
export function matchingChoices(choices: readonly Choice[], text: string): Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = choices.filter(({ label, kind }) => {
    const whole = `${label} ${kind}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  })
  const begins = ({ label }: Choice): boolean => label.toLowerCase().startsWith(words[0] ?? '')
  return [...fitting.filter(begins), ...fitting.filter((choice) => !begins(choice))].slice(0, SHOWN)
}
