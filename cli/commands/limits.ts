import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { formatTime } from '../time.ts'

/** `troupe limits`. */
export async function limits({ troupe, terminal, signal }: Context): Promise<number> {
  const { accounts } = await troupe.limits({ signal })
  if (accounts.length === 0) terminal.note('No provider account is limited (see LIMITS) or has been called yet.')
  terminal.list(accounts, [
    { header: 'ACCOUNT', cell: ({ account }) => account, flexible: true },
    { header: 'RPM', cell: ({ configured, learned }) => limitText(configured?.rpm, learned.rpm), align: 'right' },
    { header: 'TPM', cell: ({ configured, learned }) => limitText(configured?.tpm, learned.tpm), align: 'right' },
    {
      header: 'AT ONCE',
      cell: ({ configured, adaptive_concurrent }) => limitText(configured?.concurrent, adaptive_concurrent),
      align: 'right',
    },
    { header: 'IN USE', cell: ({ in_use }) => String(in_use), align: 'right' },
    {
      header: 'WAITING',
      cell: ({ waiting: { chat, prompt, task } }) => String(chat + prompt + task),
      align: 'right',
    },
    {
      header: 'COOL-DOWN',
      cell: ({ cooldown }) =>
        cooldown === null ? '' : `${cooldown.code} until ${formatTime(cooldown.until, terminal.options.utc)}`,
      raw: ({ cooldown }) => cooldown?.until ?? '',
    },
  ])
  return EXIT.ok
}

/** The effective one of two limits: configured and learned. */
function limitText(configured: number | null | undefined, learned: number | null): string {
  if (configured == null) return learned === null ? '' : `(${learned})`
  return learned === null || learned >= configured ? String(configured) : `${configured} (${learned})`
}
