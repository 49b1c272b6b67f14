import { readFile } from 'node:fs/promises'
import type { Config } from './config.ts'

/** TLS options and API key of a Temporal connection, for the worker's native connection and for the client. */
export async function temporalCredentials(config: Config) {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key } = config
  const [serverRootCACertificate, crt, keyData] = await Promise.all(
    [ca, cert, key].map((path) => path && readFile(path)),
  )
  const wanted = config.TEMPORAL_TLS || ca !== undefined || cert !== undefined || config.TEMPORAL_API_KEY !== undefined
  const serverName = config.TEMPORAL_TLS_SERVER_NAME
  return {
    ...(config.TEMPORAL_API_KEY === undefined ? {} : { apiKey: config.TEMPORAL_API_KEY }),
    ...(wanted
      ? {
          tls: {
            ...(serverName === undefined ? {} : { serverNameOverride: serverName }),
            ...(serverRootCACertificate ? { serverRootCACertificate } : {}),
            ...(crt && keyData ? { clientCertPair: { crt, key: keyData } } : {}),
          },
        }
      : {}),
  }
}
