/** Options of all embedded servers. */
export interface ServerOptions {
  /** Path of the program. */
  binary: string
  port: number
  /** Parent of the data folder of the server. */
  dataDir: string
  logDir: string
}

/** The environment of a server: common variables, without settings and secrets of the service. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined))
}
