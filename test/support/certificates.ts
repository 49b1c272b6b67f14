import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../../dev/binaries/run-command.ts'

/** Paths of PEM files. */
export interface Certificates {
  /** The authority that signed the other two. */
  authority: string
  /** Of servers on this machine: 127.0.0.1 and localhost. */
  server: { certificate: string; key: string }
  client: { certificate: string; key: string }
}

const DAYS = '2'
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Makes an authority of our own and the certificates of servers and clients, with openssl, for two days. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  mkdirSync(folder, { recursive: true })
  const authority = join(folder, 'authority.pem')
  const authorityKey = join(folder, 'authority.key')
  await openssl([
    'req',
    '-x509',
    ...KEY,
    '-days',
    DAYS,
    '-subj',
    '/CN=Test authority',
    '-keyout',
    authorityKey,
    '-out',
    authority,
  ])
  const signed = async (name: string, extensions: string) => {
    const [request, certificate, key] = ['csr', 'pem', 'key'].map((end) => join(folder, `${name}.${end}`)) as [
      string,
      string,
      string,
    ]
    const file = join(folder, `${name}.ext`)
    writeFileSync(file, extensions)
    await openssl(['req', ...KEY, '-subj', `/O=Troupe/CN=${name}`, '-keyout', key, '-out', request])
    const issuer = ['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial']
    await openssl(['x509', '-req', '-in', request, ...issuer, '-days', DAYS, '-extfile', file, '-out', certificate])
    return { certificate, key }
  }
  const usage = (kind: string) => `extendedKeyUsage=${kind}\n`
  return {
    authority,
    server: await signed('server', `subjectAltName=IP:127.0.0.1,DNS:localhost\n${usage('serverAuth')}`),
    client: await signed('client', usage('clientAuth')),
  }
}

async function openssl(args: string[]): Promise<void> {
  await runCommand('openssl', args)
}
