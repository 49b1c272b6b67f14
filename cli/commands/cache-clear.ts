import { confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { number } from '../progress-line.ts'

/** `troupe cache-clear [AGENT]`: deletes cached results. */
export async function cacheClear(
  { troupe, terminal, signal }: Context,
  [agent]: [string?],
  { yes = false }: { yes?: boolean },
): Promise<number> {
  if (!yes) await confirm(`Delete the cached results of ${agent ?? 'all agents'}?`)
  const cleared = await troupe.clearCache(agent, { signal })
  if (terminal.options.json) terminal.document(cleared)
  else terminal.line(`Deleted ${number(cleared.deleted.answers)} cached results.`)
  return EXIT.ok
}
