import { InvalidArgumentError } from 'commander'

/** Parses a whole number from 1 to `maximum`. @throws InvalidArgumentError */
export function wholeNumber(maximum = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= maximum) return value
    const range = maximum === Number.MAX_SAFE_INTEGER ? 'above 0' : `from 1 to ${maximum}`
    throw new InvalidArgumentError(`Use a whole number ${range}.`)
  }
}
