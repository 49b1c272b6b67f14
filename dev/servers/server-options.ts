/** What every embedded server needs to know. */
export interface ServerOptions {
  /** Path of the program. */
  binary: string
  port: number
  /** The server keeps its data in a folder of its own in here. */
  dataDir: string
  logDir: string
}

/** The environment of a server: what programs expect, and none of our settings or secrets. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined))
}
