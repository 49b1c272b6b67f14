/** Exit codes of the command line. Scripts rely on them. */
export const EXIT = {
  ok: 0,
  /** The execution or batch failed or was canceled; or the service is degraded. */
  failed: 1,
  /** The arguments are invalid for the command line or the service. */
  usage: 2,
  /** The key is missing, invalid, or does not permit the action. */
  key: 3,
  notFound: 4,
  /** The service cannot be reached or is unavailable. */
  unavailable: 5,
  /** A local file cannot be read or written, or its content is invalid. */
  file: 6,
  timeout: 124,
  interrupted: 130,
} as const

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
