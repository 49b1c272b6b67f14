import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import type { Schema } from '../../../client/index.ts'
import { useAgents, useMaySubmit } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { CopyMenu, quoted } from '../../parts/copy-menu.tsx'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { ReadOnlyNote } from '../../parts/read-only-note.tsx'
import { namedFields } from '../../parts/schema.ts'
import { useSpending, type Spending } from '../../parts/use-spending.tsx'
import { ChainEditor } from './chain-editor.tsx'
import { EarlierInputs } from './earlier-inputs.tsx'
import { InputsEditor } from './inputs-editor.tsx'
import { fieldsOf, parseInputs } from './inputs.ts'
import { PlaygroundRun } from './playground-run.tsx'
import { useInputs } from './use-inputs.ts'

/** Runs an agent, or a chain of them, on inputs that one types. */
export function Playground() {
  const search = useSearch({ from: '/playground' })
  const { from, agent } = search
  const agents = useAgents()
  // A page that is opened with a run has its inputs again; what runs later came from here.
  const [opened] = useState(search)
  const isOpened = opened.from === from && opened.agent === agent
  const wanted = (isOpened ? opened.run : undefined) ?? from
  const origin = useQuery({
    queryKey: ['job', wanted],
    queryFn: ({ signal }) => troupe().request('get', '/api/jobs/{job_id}', { path: { job_id: wanted ?? '' }, signal }),
    enabled: wanted !== undefined,
  })
  const ready = wanted === undefined ? agents.data : origin.data && agents.data
  return (
    <>
      <div className="page-title">
        <h1>Playground</h1>
      </div>
      <Loaded
        query={
          wanted !== undefined && origin.data === undefined ? { ...origin, data: ready } : { ...agents, data: ready }
        }
        lines={6}
      >
        {(all) =>
          all.length === 0 ? (
            <Empty title="No worker hosts an agent.">
              Start one: <code>npm run worker</code>
            </Empty>
          ) : (
            <Editor key={`${wanted} ${agent}`} agents={all} origin={origin.data} wanted={agent} />
          )
        }
      </Loaded>
    </>
  )
}

interface EditorProps {
  agents: Schema<'Agent'>[]
  origin: Schema<'Job'> | undefined
  wanted: string | undefined
}

function Editor({ agents, origin, wanted }: EditorProps) {
  const search = useSearch({ from: '/playground' })
  const navigate = useNavigate({ from: '/playground' })
  const [chain, setChain] = useState(() => origin?.agents ?? [wanted ?? firstAgent(agents)])
  const { json, view, schema, setJson, setView } = useInputs(agents, chain[0] ?? '', origin?.inputs)
  const [spending, spendingForm] = useSpending({ budget: 'The run may use at most' })
  const parsed = parseInputs(json)
  const maySubmit = useMaySubmit()
  const run = useMutation({
    mutationFn: (inputs: Record<string, unknown>) => troupe().prompts.create(requestOf(chain, inputs, spending)),
    onSuccess: ({ prompt_id }) => navigate({ search: { ...search, run: prompt_id }, replace: true }),
  })
  function change(next: string): void {
    setJson(next)
    run.reset()
  }
  const start = (): void => {
    if ('inputs' in parsed && !run.isPending && maySubmit) run.mutate(parsed.inputs)
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) start()
  }
  return (
    <div className="columns columns-play" onKeyDown={onKey}>
      <Panel title="Run">
        <ChainEditor agents={agents} chain={chain} onChain={setChain} />
        <InputsEditor
          key={chain[0]}
          {...{ json, view, schema }}
          refused={namedFields(run.error?.message ?? '')}
          onJson={change}
          onView={setView}
        />
        {spendingForm}
        <div className="actions">
          <button
            type="button"
            className="primary"
            disabled={'problem' in parsed || run.isPending || !maySubmit}
            onClick={start}
          >
            {run.isPending ? 'Starting …' : 'Run (Ctrl+Enter)'}
          </button>
          <CopyMenu path="/api/prompts" {...copiesOf(chain, json, spending)} />
          <EarlierInputs agent={chain[0] ?? ''} />
        </div>
        <ReadOnlyNote />
        {run.error !== null && (
          <p className="field-error" role="alert">
            {run.error.message}
          </p>
        )}
      </Panel>
      <Result id={search.run} />
    </div>
  )
}

/** The example that takes a question, or any that has a worker. */
function firstAgent(agents: Schema<'Agent'>[]): string {
  const active = agents.filter(({ status }) => status === 'active')
  return (active.find(({ name }) => name === 'researcher') ?? active[0] ?? agents[0])?.name ?? ''
}

/** What comes of the latest run. */
function Result({ id }: { id: string | undefined }) {
  if (id !== undefined) return <PlaygroundRun key={id} id={id} />
  return (
    <Panel title="Result">
      <Empty title="Nothing has been run yet.">The trace and the answer will appear here, live.</Empty>
    </Panel>
  )
}

function requestOf(chain: string[], inputs: Record<string, unknown>, spending: Spending): Schema<'PromptRequest'> {
  const prompt_name = chain[0] ?? ''
  const agents = chain.length > 1 && { mode: 'sequential' as const, agents: chain }
  return { prompt_name, inputs, ...agents, ...spending }
}

/** The same request in other forms. */
function copiesOf(...request: [chain: string[], json: string, spending: Spending]) {
  return { code: codeOf(...request), command: commandOf(...request), body: bodyOf(...request) }
}

function bodyOf(chain: string[], json: string, spending: Spending): string {
  const parsed = parseInputs(json)
  return JSON.stringify(requestOf(chain, 'inputs' in parsed ? parsed.inputs : {}, spending))
}

function codeOf(chain: string[], json: string, spending: Spending): string {
  const agents = chain.length > 1 ? [`mode: 'sequential'`, `agents: ${JSON.stringify(chain)}`] : []
  const limits = Object.entries(spending).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const inputs = `inputs: ${json.replaceAll('\n', '\n  ')}`
  const lines = [`prompt_name: ${JSON.stringify(chain[0])}`, ...agents, inputs, ...limits]
  return `await troupe.prompts.run({\n${lines.map((line) => `  ${line},\n`).join('')}})`
}

function commandOf(chain: string[], json: string, { budget = {}, no_cache = false }: Spending): string {
  const inputs = (fieldsOf(json) ?? []).map(([name, value]) => ` -i ${quoted(`${name}=${value}`)}`)
  const limits = Object.entries(budget).map(([name, limit]) => `${name}=${limit}`)
  const options = [limits.length > 0 && ` --budget ${limits.join(',')}`, no_cache && ' --no-cache']
  return `${chain.length > 1 ? 'chain' : 'run'} ${chain.join(' ')}${inputs.join('')}${options.filter(Boolean).join('')}`
}
