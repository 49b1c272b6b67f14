import type { Say } from '../say.ts'

/** Servers that can run without containers. */
export type ServerName = 'temporal' | 'mongod' | 's3'

/** A way of getting a program. */
export interface Way {
  /** Description for messages, such as `building it from Go's module proxy`. */
  title: string
  /**
   * Puts the program into an empty folder and returns its path.
   * @throws Error with the reason as a part of a sentence, when this way does not work here.
   */
  get: (folder: string) => Promise<string>
}

/** The program of a server, and the ways to get it, best first. */
export interface Program {
  name: string
  /** Environment variable with the path of the program. */
  variable: string
  ways: Way[]
  /** Repairs a program that does not run because a system library is missing. */
  repair?: (problem: string, say: Say) => Promise<void>
}
