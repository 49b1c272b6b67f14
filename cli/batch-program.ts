import { Option, type Command } from 'commander'
import { MAX_CHUNK } from '../client/task-chunks.ts'
import { parseBudget } from './budget.ts'
import { wholeNumber } from './whole-number.ts'

/** Adds the options for the limits of a submission. */
export function withSpending(command: Command): Command {
  return command
    .option(
      '--budget <limits>',
      'limits, such as usd=0.5,tokens=20000,modelCalls=10; also ms (working time of models and tools), toolCalls, warnAt=0.8 and onExceeded=answer',
      parseBudget,
    )
    .option('--no-cache', 'bypass the cache: make all calls again')
}

function withTaskBudget(command: Command): Command {
  return command.option('--task-budget <limits>', 'limits for each task', parseBudget)
}

/** Creates the action of a command from the function that loads its code. */
export type Bind = (load: () => Promise<unknown>) => (this: Command, ...given: unknown[]) => Promise<void>

/** The commands under `troupe batch`. */
export function addBatchCommands(program: Command, bind: Bind): void {
  const batch = program.command('batch').description('run many tasks in parallel: submit, follow, get results')
  addSubmission(batch, bind)
  addAddition(batch, bind)
  batch
    .command('get')
    .argument('<id>')
    .description('show the progress of a batch')
    .action(bind(async () => (await import('./commands/batch.ts')).getBatch))
  batch
    .command('list')
    .option('-n, --limit <count>', 'maximum number of batches', wholeNumber(), 20)
    .description('list batches, newest first')
    .action(bind(async () => (await import('./commands/batch.ts')).listBatches))
  batch
    .command('watch')
    .argument('<id>')
    .description('follow a batch to its end')
    .action(bind(async () => (await import('./commands/batch.ts')).watchBatch))
  batch
    .command('cancel')
    .argument('<id>')
    .description('cancel a batch and all of its unfinished tasks')
    .action(bind(async () => (await import('./commands/batch.ts')).cancelBatch))
  batch
    .command('results')
    .argument('<id>')
    .option('--failed', 'only failed tasks')
    .option('--inputs', 'only the inputs of the tasks, in the format of "batch submit", to correct and submit again')
    .option('-o, --output <file>', 'write to .jsonl or .csv instead of printing JSON lines')
    .description('get the results in the order of submission')
    .action(bind(async () => (await import('./commands/batch-results.ts')).batchResults))
  withTaskBudget(withSpending(batch.command('retry').argument('<id>')))
    .option('--no-wait', 'exit without following the new batch')
    .description('submit the failed tasks again as a new batch; keeps the budgets unless you pass others')
    .action(bind(async () => (await import('./commands/batch-retry.ts')).batchRetry))
}

const FILES = '.csv, .tsv, .jsonl or .json with an array'

/** Adds the options for reading a file of tasks. */
function withFile(command: Command): Command {
  return command
    .option(
      '-m, --map <column=field:type>',
      'field and type (text, number, boolean, json) of a column; with --map, only mapped columns are sent; without it, types are detected from the first cells',
      (text: string, before: string[] = []) => [...before, text],
    )
    .addOption(
      new Option('--format <format>', 'file format; default: by the file name').choices(['csv', 'jsonl', 'json']),
    )
    .option('--delimiter <character>', 'delimiter of a CSV file; detected by default')
    .option('--no-wait', 'exit without following the batch')
}

function addAddition(batch: Command, bind: Bind): void {
  withTaskBudget(withFile(batch.command('add').argument('<id>').argument('<file>', FILES)))
    .option('--no-cache', 'bypass the cache: make all calls again')
    .option('-a, --agent <name>', "agent that runs the tasks; default: the batch's agent")
    .description('add one task per row to a batch; repeating the command within a day adds nothing twice')
    .action(bind(async () => (await import('./commands/batch-add.ts')).batchAdd))
}

function addSubmission(batch: Command, bind: Bind): void {
  withTaskBudget(withSpending(withFile(batch.command('submit').argument('<file>', FILES))))
    .requiredOption('-a, --agent <name>', 'agent that runs the tasks')
    .option('--id <batch id>', 'id of the batch; default: derived from the name and content of the file')
    .option('--chunk <tasks>', 'number of tasks per request', wholeNumber(MAX_CHUNK), MAX_CHUNK)
    .option('--dry-run', 'check the file without submitting')
    .description('submit one task per row; repeat the command to continue after an interruption')
    .action(bind(async () => (await import('./commands/batch-submit.ts')).batchSubmit))
}
