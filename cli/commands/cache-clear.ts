import { confirm } from '../confirm.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { number } from '../progress-line.ts'

/** `troupe cache-clear [AGENT]`: the next calls are made anew. */
export async function cacheClear(
  { troupe, terminal, signal }: Context,
  [agent]: [string?],
  { yes = false }: { yes?: boolean },
): Promise<number> {
  if (!yes) await confirm(`Forget the kept answers of ${agent ?? 'all agents'}?`)
  const cleared = await troupe.clearCache(agent, { signal })
  if (terminal.options.json) terminal.document(cleared)
  else terminal.line(`${number(cleared.deleted.answers)} answers are forgotten.`)
  return EXIT.ok
}
