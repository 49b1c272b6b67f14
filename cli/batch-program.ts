import { Option, type Command } from 'commander'
import { MAX_CHUNK } from '../client/task-chunks.ts'
import { parseBudget } from './budget.ts'
import { wholeNumber } from './whole-number.ts'

/** What a submission may spend. */
export function withSpending(command: Command): Command {
  return command
    .option(
      '--budget <limits>',
      'what it may use at most, such as usd=0.5,tokens=20000,modelCalls=10; also ms (of models and tools at work), toolCalls, warnAt=0.8 and onExceeded=answer',
      parseBudget,
    )
    .option('--no-cache', 'make every call anew, also where an answer is kept')
}

function withTaskBudget(command: Command): Command {
  return command.option('--task-budget <limits>', 'what each task may use at most', parseBudget)
}

/** Makes the action of a command from the function that loads its code. */
export type Bind = (load: () => Promise<unknown>) => (this: Command, ...given: unknown[]) => Promise<void>

/** The commands under `troupe batch`. */
export function addBatchCommands(program: Command, bind: Bind): void {
  const batch = program.command('batch').description('many tasks at the same time: submit, follow, get results')
  addSubmission(batch, bind)
  addAddition(batch, bind)
  batch
    .command('get')
    .argument('<id>')
    .description('show how far a batch is')
    .action(bind(async () => (await import('./commands/batch.ts')).getBatch))
  batch
    .command('list')
    .option('-n, --limit <count>', 'at most so many', wholeNumber(), 20)
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
    .description('cancel a batch and every task that has not ended')
    .action(bind(async () => (await import('./commands/batch.ts')).cancelBatch))
  batch
    .command('results')
    .argument('<id>')
    .option('--failed', 'only tasks that failed')
    .option(
      '--inputs',
      'only what the tasks were given, as "batch submit" reads it: to be repaired and submitted again',
    )
    .option('-o, --output <file>', 'write to .jsonl or .csv instead of printing JSON lines')
    .description('give the results in the order of submission')
    .action(bind(async () => (await import('./commands/batch-results.ts')).batchResults))
  withTaskBudget(withSpending(batch.command('retry').argument('<id>')))
    .option('--no-wait', 'do not follow the new batch')
    .description(
      'submit the failed tasks again, as a batch of their own; within the same budgets, where none are given',
    )
    .action(bind(async () => (await import('./commands/batch-retry.ts')).batchRetry))
}

const FILES = '.csv, .tsv, .jsonl or .json with an array'

/** How a file of tasks is read. */
function withFile(command: Command): Command {
  return command
    .option(
      '-m, --map <column=field:type>',
      'field and type (text, number, boolean, json) of a column; once a column is mapped, only mapped ones are sent; without it the type is the one that the first cells of a column look like',
      (text: string, before: string[] = []) => [...before, text],
    )
    .addOption(new Option('--format <format>', 'instead of by the name').choices(['csv', 'jsonl', 'json']))
    .option('--delimiter <character>', 'of a CSV file; found by itself when it is left out')
    .option('--no-wait', 'do not follow the batch')
}

function addAddition(batch: Command, bind: Bind): void {
  withTaskBudget(withFile(batch.command('add').argument('<id>').argument('<file>', FILES)))
    .option('--no-cache', 'make every call anew, also where an answer is kept')
    .option('-a, --agent <name>', "agent that runs the tasks; the batch's own when it is left out")
    .description('add a task for each row to a batch; the same command adds nothing twice within a day')
    .action(bind(async () => (await import('./commands/batch-add.ts')).batchAdd))
}

function addSubmission(batch: Command, bind: Bind): void {
  withTaskBudget(withSpending(withFile(batch.command('submit').argument('<file>', FILES))))
    .requiredOption('-a, --agent <name>', 'agent that runs the tasks')
    .option('--id <batch id>', "the batch's id; made from the file's name and content when it is left out")
    .option('--chunk <tasks>', 'tasks of a request', wholeNumber(MAX_CHUNK), MAX_CHUNK)
    .option('--dry-run', 'check the file and submit nothing')
    .description('submit a task for each row; the same command goes on after an interruption')
    .action(bind(async () => (await import('./commands/batch-submit.ts')).batchSubmit))
}
