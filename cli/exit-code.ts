/** Exit codes of the command line. Scripts rely on them. */
export const EXIT = {
  ok: 0,
  /** What was asked for ran, and failed or was canceled; or the service is degraded. */
  failed: 1,
  /** The command line, or the service, does not accept what was given. */
  usage: 2,
  /** The key is missing, wrong, or may not do this. */
  key: 3,
  notFound: 4,
  /** The service cannot be reached, or cannot work now. */
  unavailable: 5,
  /** A local file cannot be read, or its content is wrong. */
  file: 6,
  timeout: 124,
  interrupted: 130,
} as const

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
