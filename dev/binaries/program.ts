import type { Say } from '../say.ts'

/** The servers that run without containers. */
export type ServerName = 'temporal' | 'mongod' | 's3'

/** One way of getting a program. */
export interface Way {
  /** What is done, for people: `building it from Go's module proxy`. */
  title: string
  /**
   * Puts the program into an empty folder and gives its path.
   * @throws Error with the reason as a sentence part, when this way is closed here.
   */
  get: (folder: string) => Promise<string>
}

/** A server's program and the ways in which it can be had, best first. */
export interface Program {
  name: string
  /** The environment variable that names one. */
  variable: string
  ways: Way[]
  /** Makes a program that does not run do so, where a library of the system is missing. */
  repair?: (problem: string, say: Say) => Promise<void>
}
