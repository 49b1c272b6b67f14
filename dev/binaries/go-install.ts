import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'
import type { Way } from './program.ts'

const USUAL_PLACE = '/usr/local/go/bin/go'

/** Builds a program with Go from its module proxy. */
export function goInstall(program: string, modulePath: string, version: string): Way {
  return {
    title: `building it with "go install ${modulePath}@${version}" (two to four minutes)`,
    get: async (folder) => {
      const go = existsSync(USUAL_PLACE) ? USUAL_PLACE : 'go'
      // Omitting symbol tables makes the program a third smaller.
      await runCommand(go, ['install', '-ldflags=-s -w', `${modulePath}@${version}`], {
        environment: { GOBIN: folder },
      })
      return join(folder, program)
    },
  }
}
