import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { messageOf } from '../core/errors.ts'
import { sayToTerminal as say } from './say.ts'

/** Advisories that stay for now: the end of their address, and the reason why they do no harm here. */
const ACCEPTED: Record<string, string> = {}
const REFUSED = ['high', 'critical']
/** One try: who works without a network shall not wait for it. */
const ASKING = ['audit', '--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=20000']
const MAX_BYTES = 64 * 1_048_576

/** What is known against a package that we use. */
export interface Advisory {
  package: string
  severity: string
  title: string
  url: string
}

interface Audit {
  message?: string
  vulnerabilities?: Record<string, { via: (string | ({ name: string } & Omit<Advisory, 'package'>))[] }>
}

/**
 * Asks the package registry what is known against the packages of the lock file. One that knows no advisories, or cannot be
 * reached, fails nothing; a grave advisory does, unless `ACCEPTED` has a reason.
 */
async function main(): Promise<void> {
  let advisories: Advisory[]
  try {
    advisories = await ask()
  } catch (error) {
    return say(`Advisories are not known: ${messageOf(error)}`)
  }
  const { lines, isClean } = judge(advisories, ACCEPTED)
  for (const line of lines) say(line)
  if (!isClean) process.exitCode = 1
}

/** @throws Error with the registry's sentence when it gave no answer */
async function ask(): Promise<Advisory[]> {
  const cwd = join(import.meta.dirname, '..')
  // npm's exit code is 1 also where it found something.
  const text = await new Promise<string>((resolve, reject) =>
    execFile('npm', ASKING, { cwd, maxBuffer: MAX_BYTES }, (error, stdout) =>
      stdout === '' ? reject(error ?? new Error('npm said nothing.')) : resolve(stdout),
    ),
  )
  const { message, vulnerabilities } = JSON.parse(text) as Audit
  if (vulnerabilities === undefined) throw new Error(message ?? 'the registry gave no advisories.')
  const found = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((cause) => typeof cause !== 'string')
  return found.map(({ name, severity, title, url }) => ({ package: name, severity, title, url }))
}

/**
 * A line for each advisory, and for each reason that is not needed any more.
 * @param accepted - reasons by the end of an advisory's address
 */
export function judge(advisories: Advisory[], accepted: Record<string, string>): { lines: string[]; isClean: boolean } {
  const idOf = ({ url }: Advisory): string => url.slice(url.lastIndexOf('/') + 1)
  const ids = new Set(advisories.map(idOf))
  const needless = Object.keys(accepted).filter((id) => !ids.has(id))
  const isRefused = (advisory: Advisory): boolean =>
    REFUSED.includes(advisory.severity) && accepted[idOf(advisory)] === undefined
  return {
    lines: [
      ...advisories.map((advisory) => {
        const { severity, title, url } = advisory
        const reason = accepted[idOf(advisory)]
        return `${advisory.package}: ${title} (${severity}), ${url}${reason === undefined ? '' : `; accepted: ${reason}`}`
      }),
      ...needless.map((id) => `${id} is accepted and not known any more: take it out of dev/advisories.ts.`),
    ],
    isClean: needless.length === 0 && !advisories.some(isRefused),
  }
}

if (import.meta.main) await main()
