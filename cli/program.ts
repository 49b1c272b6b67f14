import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { addBatchCommands, withSpending, type Bind } from './batch-program.ts'
import type { CommandHandler } from './context.ts'
import { parseDurationMs } from './time.ts'
import { wholeNumber } from './whole-number.ts'

/** Runs a command whose code is loaded now: what a call does not need is not read. */
export type RunCommand = (
  load: () => Promise<CommandHandler<never, never>>,
  command: Command,
  given: unknown[],
) => Promise<void>

const NOTES = `
Address and key come from --url and --key (or --key-file), else from TROUPE_URL and TROUPE_KEY, else from "troupe login".
Exit codes: 0 good, 1 the work failed or was canceled, 2 usage, 3 key, 4 not found, 5 service not available,
6 local file, 124 timed out, 130 interrupted (the work goes on).`

/** All commands with their options. */
export function createProgram(run: RunCommand): Command {
  const program = new Command('troupe')
    .description('Runs AI agents, and shows what they do.')
    .version(packageJson.version)
    .option('--url <address>', 'address of the service (TROUPE_URL)')
    .option('--key <key>', 'API key (TROUPE_KEY); others on this machine can see it')
    .option('--key-file <file>', 'file that holds the API key')
    .option('--json', 'print JSON: one document, or one a line for what streams')
    .option('--fields <names>', 'only these fields of a list, such as job_id,status', (text: string) => text.split(','))
    .option('-q, --quiet', 'no notes, no progress')
    .option('--utc', 'times in UTC')
    .option('--timeout <duration>', 'wait at most so long: 30s, 10m, 1h', parseDurationMs)
    .option('--no-color', 'no colours (NO_COLOR)')
    .showHelpAfterError('(add --help for the options)')
    .addHelpText('after', NOTES)
    .exitOverride()
  const bind: Bind = (load) =>
    async function action(this: Command, ...given: unknown[]) {
      await run(load as never, this, given.slice(0, this.registeredArguments.length))
    }
  addRunCommands(program, bind)
  addBatchCommands(program, bind)
  addReadCommands(program, bind)
  addServiceCommands(program, bind)
  addCompletion(program, bind)
  return program
}

/** `-i k=v` may be given again and again. */
const collect = (text: string, before: string[] = []): string[] => [...before, text]

function withInputs(command: Command): Command {
  return withSpending(withChanges(command))
    .option('-d, --detach', 'print the id and do not wait')
    .option('--live', 'also answers while they are written')
    .option('--cancel-on-interrupt', 'Ctrl-C cancels it instead of letting it go on')
}

function withChanges(command: Command): Command {
  return command
    .option('-i, --input <name=value>', 'an input; JSON where it reads as such (again and again)', collect)
    .option('--inputs <file>', 'JSON object of inputs; - reads stdin')
    .option('-t, --text <text>', 'shorthand for --input query=<text>')
}

function addRunCommands(program: Command, bind: Bind): void {
  withInputs(program.command('run').argument('<agent>').description('run an agent and print its output')).action(
    bind(async () => (await import('./commands/run.ts')).run),
  )
  withInputs(program.command('chain').argument('<agents...>'))
    .description("run agents in a row: each one's output is the next one's input")
    .action(bind(async () => (await import('./commands/run.ts')).chain))
  withSpending(program.command('chat'))
    .argument('<agent>')
    .argument('[message]', 'without it, each line of the terminal is a message')
    .option('--live', 'print the answer while it is written')
    .description('send an agent a message and print its answer')
    .action(bind(async () => (await import('./commands/chat.ts')).chat))
  withChanges(program.command('replay').argument('<id>'))
    .description('run an execution again with the same inputs, or with those changed that are given')
    .action(bind(async () => (await import('./commands/replay.ts')).replay))
  program
    .command('cancel')
    .argument('[ids...]', 'executions or batches')
    .option('--running', 'all running executions instead of ids')
    .option('--agent <name>', 'with --running: only of this agent')
    .option('-y, --yes', 'do not ask')
    .description('cancel executions or batches')
    .action(bind(async () => (await import('./commands/cancel.ts')).cancel))
}

function addReadCommands(program: Command, bind: Bind): void {
  program
    .command('get')
    .argument('<id>', 'an execution or a batch')
    .description('show an execution or a batch as it is now')
    .action(bind(async () => (await import('./commands/get.ts')).get))
  program
    .command('list')
    .option('--status <status>', 'running, completed, failed or canceled')
    .option('--kind <kind>', 'prompt, job, task or chat')
    .option('--agent <name>')
    .option('--batch <id>', 'only tasks of this batch')
    .option('--since <time>', 'created within the last 10m, 2h, 1d, or since an ISO 8601 time')
    .option('--until <time>', 'created before that')
    .option('--id <prefix>', 'whose id begins so')
    .option('-n, --limit <count>', 'at most so many', wholeNumber(), 20)
    .option('--all', 'without a limit')
    .description('list executions, newest first')
    .action(bind(async () => (await import('./commands/list.ts')).list))
  program
    .command('watch')
    .argument('<id>', 'an execution or a batch')
    .option('--after <event id>', 'only events behind this one', wholeNumber())
    .option('--live', 'also answers while they are written')
    .description('follow an execution or a batch to its end')
    .action(bind(async () => (await import('./commands/watch.ts')).watch))
  program
    .command('trace')
    .argument('<id>')
    .option('--errors', 'only what failed')
    .option('--depth <levels>', 'only so many levels of the tree', wholeNumber())
    .description('show the events of an execution as a tree')
    .action(bind(async () => (await import('./commands/trace.ts')).trace))
  program
    .command('events')
    .description('follow everything that happens')
    .action(bind(async () => (await import('./commands/events.ts')).events))
}

function addServiceCommands(program: Command, bind: Bind): void {
  program
    .command('agents')
    .argument('[name]', 'show this one, with the schemas of what it takes and gives')
    .description('list the agents')
    .action(bind(async () => (await import('./commands/agents.ts')).agents))
  program
    .command('tools')
    .argument('<agent>')
    .description("list an agent's tools")
    .action(bind(async () => (await import('./commands/agents.ts')).tools))
  program
    .command('logs')
    .argument('<container>')
    .option('-f, --follow', 'go on with new lines')
    .option('--tail <lines>', 'begin with the last lines', wholeNumber())
    .option('--since <time>', 'begin at 5m, 1h or an ISO 8601 time')
    .option('--grep <regex>', 'only lines that match')
    .description("print a container's log")
    .action(bind(async () => (await import('./commands/logs.ts')).logs))
  program
    .command('containers')
    .description('list the containers')
    .action(bind(async () => (await import('./commands/logs.ts')).containers))
  program
    .command('metrics')
    .description('print the totals of the service')
    .action(bind(async () => (await import('./commands/service.ts')).metrics))
  program
    .command('limits')
    .description("list the providers' accounts: limits, what is in use and waits, cool-downs")
    .action(bind(async () => (await import('./commands/limits.ts')).limits))
  program
    .command('cache-clear')
    .argument('[agent]', 'only answers to calls of this agent')
    .option('-y, --yes', 'do not ask')
    .description('forget the kept answers of models and tools (a key of role admin)')
    .action(bind(async () => (await import('./commands/cache-clear.ts')).cacheClear))
  program
    .command('health')
    .description('tell whether the service is well; exits 1 when it is degraded')
    .action(bind(async () => (await import('./commands/service.ts')).health))
  program
    .command('login')
    .description('keep address and key for later calls')
    .action(bind(async () => (await import('./commands/login.ts')).login))
}

function addCompletion(program: Command, bind: Bind): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script, for your shell to source')
    .action(
      bind(async () => {
        const { completion } = await import('./commands/completion.ts')
        return completion(program)
      }),
    )
}
