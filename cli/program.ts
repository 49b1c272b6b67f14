import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { addBatchCommands, withSpending, type Bind } from './batch-program.ts'
import type { CommandHandler } from './context.ts'
import { parseDurationMs } from './time.ts'
import { wholeNumber } from './whole-number.ts'

/** Loads the code of a command when it runs, so that others are not loaded. */
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
    .description('Runs AI agents and shows what they do.')
    .version(packageJson.version)
    .option('--url <address>', 'address of the service (TROUPE_URL)')
    .option('--key <key>', 'API key (TROUPE_KEY); visible to other users of this machine')
    .option('--key-file <file>', 'file with the API key')
    .option('--json', 'print JSON: one document, or one per line for streams')
    .option('--fields <names>', 'print only these fields of a list, such as job_id,status', (text: string) =>
      text.split(','),
    )
    .option('-q, --quiet', 'print no notes and no progress')
    .option('--utc', 'print times in UTC')
    .option('--timeout <duration>', 'maximum time to wait: 30s, 10m, 1h', parseDurationMs)
    .option('--no-color', 'print without colors (NO_COLOR)')
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

/** Collects the values of a repeatable option. */
const collect = (text: string, before: string[] = []): string[] => [...before, text]

function withInputs(command: Command): Command {
  return withSpending(withChanges(command))
    .option('-d, --detach', 'print the id without waiting')
    .option('--live', 'also print model output while it is generated')
    .option('--cancel-on-interrupt', 'cancel the execution on Ctrl-C')
}

function withChanges(command: Command): Command {
  return command
    .option('-i, --input <name=value>', 'an input; JSON if valid, otherwise text (repeatable)', collect)
    .option('--inputs <file>', 'file with a JSON object of inputs; - reads stdin')
    .option('-t, --text <text>', 'shorthand for --input query=<text>')
}

function addRunCommands(program: Command, bind: Bind): void {
  withInputs(program.command('run').argument('<agent>').description('run an agent and print its output')).action(
    bind(async () => (await import('./commands/run.ts')).run),
  )
  withInputs(program.command('chain').argument('<agents...>'))
    .description('run agents in sequence; the output of each is the input of the next')
    .action(bind(async () => (await import('./commands/run.ts')).chain))
  withSpending(program.command('chat'))
    .argument('<agent>')
    .argument('[message]', 'the message; without it, each line of stdin is a message')
    .option('--live', 'print the response while it is generated')
    .description('send a message to an agent and print its response')
    .action(bind(async () => (await import('./commands/chat.ts')).chat))
  withChanges(program.command('replay').argument('<id>'))
    .description('run an execution again with the same inputs; options change single inputs')
    .action(bind(async () => (await import('./commands/replay.ts')).replay))
  program
    .command('cancel')
    .argument('[ids...]', 'ids of executions or batches')
    .option('--running', 'cancel all running executions')
    .option('--agent <name>', 'with --running: only executions of this agent')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('cancel executions or batches')
    .action(bind(async () => (await import('./commands/cancel.ts')).cancel))
}

function addReadCommands(program: Command, bind: Bind): void {
  program
    .command('get')
    .argument('<id>', 'id of an execution or a batch')
    .description('show the current state of an execution or a batch')
    .action(bind(async () => (await import('./commands/get.ts')).get))
  program
    .command('list')
    .option('--status <status>', 'running, completed, failed or canceled')
    .option('--kind <kind>', 'prompt, job, task or chat')
    .option('--agent <name>')
    .option('--batch <id>', 'only tasks of this batch')
    .option('--since <time>', 'only executions created since: 10m, 2h, 1d ago, or an ISO 8601 time')
    .option('--until <time>', 'only executions created before: a duration or time, as for --since')
    .option('--id <prefix>', 'only executions whose id begins with this')
    .option('-n, --limit <count>', 'maximum number of executions', wholeNumber(), 20)
    .option('--all', 'list all executions')
    .description('list executions, newest first')
    .action(bind(async () => (await import('./commands/list.ts')).list))
  program
    .command('watch')
    .argument('<id>', 'id of an execution or a batch')
    .option('--after <event id>', 'only events after this one', wholeNumber())
    .option('--live', 'also print model output while it is generated')
    .description('follow an execution or a batch to its end')
    .action(bind(async () => (await import('./commands/watch.ts')).watch))
  program
    .command('trace')
    .argument('<id>')
    .option('--errors', 'only failed events')
    .option('--depth <levels>', 'maximum depth of the tree', wholeNumber())
    .description('show the events of an execution as a tree')
    .action(bind(async () => (await import('./commands/trace.ts')).trace))
  program
    .command('events')
    .description('follow all system events')
    .action(bind(async () => (await import('./commands/events.ts')).events))
}

function addServiceCommands(program: Command, bind: Bind): void {
  program
    .command('agents')
    .argument('[name]', 'show this agent with its input and output schemas')
    .description('list the agents')
    .action(bind(async () => (await import('./commands/agents.ts')).agents))
  program
    .command('tools')
    .argument('<agent>')
    .description('list the tools of an agent')
    .action(bind(async () => (await import('./commands/agents.ts')).tools))
  program
    .command('logs')
    .argument('<container>')
    .option('-f, --follow', 'also print new lines as they are written')
    .option('--tail <lines>', 'number of last lines to start with', wholeNumber())
    .option('--since <time>', 'start at 5m or 1h ago, or at an ISO 8601 time')
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
    .description('list provider accounts: limits, usage, waiting calls, cool-downs')
    .action(bind(async () => (await import('./commands/limits.ts')).limits))
  program
    .command('cache-clear')
    .argument('[agent]', 'only results of calls by this agent')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('clear the cache of model and tool results (requires the role admin)')
    .action(bind(async () => (await import('./commands/cache-clear.ts')).cacheClear))
  program
    .command('health')
    .description('show the health of the service; exits with 1 when it is degraded')
    .action(bind(async () => (await import('./commands/service.ts')).health))
  program
    .command('login')
    .description('save address and key for later calls')
    .action(bind(async () => (await import('./commands/login.ts')).login))
}

function addCompletion(program: Command, bind: Bind): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for your shell to source')
    .action(
      bind(async () => {
        const { completion } = await import('./commands/completion.ts')
        return completion(program)
      }),
    )
}
