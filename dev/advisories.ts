import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { messageOf } from '../core/errors.ts'
import { sayToTerminal as say } from './say.ts'

/** Accepted advisories: the end of their URL, and the reason why they are harmless here. */
const ACCEPTED: Record<string, string> = {}
const REFUSED = ['high', 'critical']
/** A single attempt, so that developers without a network do not have to wait. */
const ASKING = ['audit', '--json', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=20000']
const MAX_BYTES = 64 * 1_048_576

/** A security advisory for a dependency. */
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
 * Requests security advisories for the packages of the lock file from the registry. A high or critical advisory fails the check, unless
 * `ACCEPTED` has a reason. A registry that cannot be reached or has no advisories does not fail it.
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

/** @throws Error with the message of the registry when it returned no advisories */
async function ask(): Promise<Advisory[]> {
  const cwd = join(import.meta.dirname, '..')
  // npm also exits with 1 when it found advisories.
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
 * Formats a line for each advisory, and for each accepted one that no longer applies.
 * @param accepted - reasons by the end of an advisory's URL
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
