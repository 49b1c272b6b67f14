import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/**
 * One readable sentence for the issues of a schema; it names the field.
 * @param place - subject of the sentence when the whole value is invalid, such as `The body`.
 */
export function sentenceOf(issues: readonly Issue[], place: string): string {
  const [issue] = issues
  if (issue === undefined) return `${place} is invalid.`
  const field = fieldOf(issue.path) || place
  return `${field} ${problemOf(issue)}.`
}

function fieldOf(path: PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

function problemOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return Array.isArray(issue.input) && issue.expected === 'string'
        ? 'must be given only once'
        : `must be ${named(issue.expected)}`
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? tooShort(issue)
        : `must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'array' || issue.origin === 'string' ? tooLong(issue) : `must be at most ${issue.maximum}`
    case 'custom':
      return issue.input === undefined && issue.message === 'must be an object' ? 'is required' : issue.message
    default:
      return issue.message
  }
}

function tooShort({ minimum, origin }: z.core.$ZodIssueTooSmall): string {
  if (Number(minimum) === 1) return 'must not be empty'
  return `must have at least ${minimum} ${origin === 'array' ? 'entries' : 'characters'}`
}

function tooLong({ maximum, origin }: z.core.$ZodIssueTooBig): string {
  return `must have at most ${maximum} ${origin === 'array' ? 'entries' : 'characters'}`
}

function named(expected: string): string {
  const words: Record<string, string> = {
    array: 'an array',
    object: 'an object',
    int: 'a whole number',
    nonoptional: 'given',
  }
  return words[expected] ?? `a ${expected}`
}
