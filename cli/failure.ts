import { TroupeError } from '../client/index.ts'
import { CommandError } from './command-error.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import type { Settings } from './settings.ts'

/** A failure for the user: a sentence and an exit code. */
export interface Failure {
  exitCode: ExitCode
  sentence: string
  /** HTTP status, if there was one. */
  status: number | null
  requestId: string | null
}

/** Hint for unknown ids; users may have the beginning of an id from the dashboard. */
export const FINDING =
  'To find executions, run "troupe list --id <beginning of the id>"; to list agents, "troupe agents".'

/** Explains an error to the user, including what to do next. */
export function failureOf(error: unknown, settings: Settings | undefined): Failure {
  const plain = { status: null, requestId: null }
  if (error instanceof CommandError) return { ...plain, exitCode: error.exitCode, sentence: error.message }
  if (!(error instanceof TroupeError)) {
    const sentence = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { ...plain, exitCode: EXIT.failed, sentence: `Unexpected error: ${sentence}` }
  }
  const { status, requestId } = error
  return { status, requestId, exitCode: exitCodeOf(error), sentence: sentenceOf(error, settings) }
}

function exitCodeOf({ reason, status }: TroupeError): ExitCode {
  if (reason === 'timeout') return EXIT.timeout
  if (reason === 'unreachable') return EXIT.unavailable
  if (status === 401 || status === 403) return EXIT.key
  if (status === 404) return EXIT.notFound
  if (status !== null && status >= 500) return EXIT.unavailable
  return EXIT.usage
}

function sentenceOf({ reason, status, detail, requestId }: TroupeError, settings: Settings | undefined): string {
  if (reason === 'unreachable') {
    return `${detail} Start the service with "npm start", or set another address with --url or TROUPE_URL.`
  }
  if (status === 401) return keySentence(settings)
  if (status === 404) return `${detail} ${FINDING}`
  if (status !== null && status >= 500) {
    return `The service failed (${status}): ${detail}${requestId === null ? '' : ` Search its log for ${requestId}.`}`
  }
  return detail
}

function keySentence(settings: Settings | undefined): string {
  const at = settings === undefined ? 'The service' : `The service at ${settings.url}`
  const ways = 'Pass one with TROUPE_KEY, --key-file or "troupe login".'
  if (settings?.key === undefined) return `${at} requires a key. ${ways}`
  return `${at} rejects the key from ${settings.keySource}. ${ways}`
}
