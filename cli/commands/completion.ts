import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'

/** Completions after the words of a command. */
interface Completion {
  /** The preceding words, such as `batch submit`; empty at the top level. */
  words: string
  commands: { name: string; description: string }[]
  options: { name: string; description: string }[]
}

const SCRIPTS: Record<string, (completions: Completion[]) => string> = { bash, zsh, fish }

/** `troupe completion SHELL`: prints a script that completes commands and options. */
export function completion(program: Command) {
  return async ({ terminal }: Context, [shell]: [string]): Promise<number> => {
    const script = SCRIPTS[shell]
    if (script === undefined)
      throw new CommandError(EXIT.usage, `Shell "${shell}" is not supported; use bash, zsh or fish.`)
    terminal.line(script(completionsOf(program)))
    return EXIT.ok
  }
}

function completionsOf(program: Command, words: string[] = [], inherited: Completion['options'] = []): Completion[] {
  const own = program.options.map(({ long, description }) => ({ name: long ?? '', description }))
  const options = [...own, ...inherited].filter(({ name }) => name !== '')
  const commands = program.commands.map((command) => ({ name: command.name(), description: command.description() }))
  const below = program.commands.flatMap((command) => completionsOf(command, [...words, command.name()], options))
  return [{ words: words.join(' '), commands, options }, ...below]
}

function bash(completions: Completion[]): string {
  const cases = completions.map(({ words, commands, options }) => {
    const choices = [...commands, ...options].map(({ name }) => name).join(' ')
    return `    "${words}") choices="${choices}" ;;`
  })
  return `_troupe() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" word choices=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [ -z "$words" ] && words="$word" || { [ "$words" = batch ] && words="batch $word"; } ;; esac
  done
  case "$words" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _troupe troupe`
}

function zsh(completions: Completion[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(completions)}`
}

function fish(completions: Completion[]): string {
  const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  return completions
    .flatMap(({ words, commands, options }) => {
      const condition =
        words === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${words.split(' ').at(-1)}`
      return [
        ...commands.map(
          ({ name, description }) => `complete -c troupe -n ${quote(condition)} -a ${name} -d ${quote(description)}`,
        ),
        ...options.map(
          ({ name, description }) =>
            `complete -c troupe -n ${quote(condition)} -l ${name.slice(2)} -d ${quote(description)}`,
        ),
      ]
    })
    .join('\n')
}
