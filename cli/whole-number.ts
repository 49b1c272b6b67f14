import { InvalidArgumentError } from 'commander'

/** Reads an option that is a whole number from 1 on, up to `maximum` where there is one. @throws InvalidArgumentError */
export function wholeNumber(maximum = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = /^\d+$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= maximum) return value
    const range = maximum === Number.MAX_SAFE_INTEGER ? 'above 0' : `from 1 to ${maximum}`
    throw new InvalidArgumentError(`Give a whole number ${range}.`)
  }
}
