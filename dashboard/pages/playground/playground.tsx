import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type KeyboardEvent } from 'react'
import type { Schema } from '../../../client/index.ts'
import { useAgents } from '../../api/queries.ts'
import { troupe } from '../../api/session.ts'
import { CopyMenu } from '../../parts/copy-menu.tsx'
import { Empty, Loaded, Panel } from '../../parts/panel.tsx'
import { namedFields } from '../../parts/schema.ts'
import { ChainEditor } from './chain-editor.tsx'
import { InputsEditor } from './inputs-editor.tsx'
import { parseInputs } from './inputs.ts'
import { PlaygroundRun } from './playground-run.tsx'
import { useInputs } from './use-inputs.ts'

/** Runs an agent, or a chain of them, on inputs that one types. */
export function Playground() {
  const { from, agent } = useSearch({ from: '/playground' })
  const agents = useAgents()
  const origin = useQuery({
    queryKey: ['job', from],
    queryFn: ({ signal }) => troupe().request('get', '/api/jobs/{job_id}', { path: { job_id: from ?? '' }, signal }),
    enabled: from !== undefined,
  })
  const ready = from === undefined ? agents.data : origin.data && agents.data
  return (
    <>
      <div className="page-title">
        <h1>Playground</h1>
      </div>
      <Loaded
        query={
          from !== undefined && origin.data === undefined ? { ...origin, data: ready } : { ...agents, data: ready }
        }
        lines={6}
      >
        {(all) =>
          all.length === 0 ? (
            <Empty title="No worker hosts an agent.">
              Start one: <code>npm run worker</code>
            </Empty>
          ) : (
            <Editor key={`${from} ${agent}`} agents={all} origin={origin.data} wanted={agent} />
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
  const active = agents.filter(({ status }) => status === 'active')
  const first = wanted ?? active.find(({ name }) => name === 'researcher')?.name ?? (active[0] ?? agents[0])?.name ?? ''
  const [chain, setChain] = useState(origin?.agents ?? [first])
  const { json, view, schema, setJson, setView } = useInputs(agents, chain[0] ?? '', origin?.inputs)
  const parsed = parseInputs(json)
  const run = useMutation({
    mutationFn: (inputs: Record<string, unknown>) =>
      troupe().prompts.create(
        chain.length > 1
          ? { prompt_name: chain[0] as string, inputs, mode: 'sequential', agents: chain }
          : { prompt_name: chain[0] as string, inputs },
      ),
    onSuccess: ({ prompt_id }) => navigate({ search: { ...search, run: prompt_id }, replace: true }),
  })
  function change(next: string): void {
    setJson(next)
    run.reset()
  }
  const start = (): void => {
    if ('inputs' in parsed && !run.isPending) run.mutate(parsed.inputs)
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
        <div className="actions">
          <button type="button" className="primary" disabled={'problem' in parsed || run.isPending} onClick={start}>
            {run.isPending ? 'Starting …' : 'Run (Ctrl+Enter)'}
          </button>
          <CopyMenu path="/api/prompts" code={codeOf(chain, json)} body={bodyOf(chain, json)} />
        </div>
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

/** What comes of the latest run. */
function Result({ id }: { id: string | undefined }) {
  if (id !== undefined) return <PlaygroundRun key={id} id={id} />
  return (
    <Panel title="What comes of it">
      <Empty title="Nothing was run yet.">The trace and the answer will appear here, live.</Empty>
    </Panel>
  )
}

function bodyOf(chain: string[], json: string): string {
  const parsed = parseInputs(json)
  const inputs = 'inputs' in parsed ? parsed.inputs : {}
  return JSON.stringify(
    chain.length > 1
      ? { prompt_name: chain[0], inputs, mode: 'sequential', agents: chain }
      : { prompt_name: chain[0], inputs },
  )
}

function codeOf(chain: string[], json: string): string {
  const inputs = json.replaceAll('\n', '\n  ')
  return chain.length > 1
    ? `await troupe.prompts.chain(${JSON.stringify(chain)}, ${inputs})`
    : `await troupe.prompts.run({\n  prompt_name: ${JSON.stringify(chain[0])},\n  inputs: ${inputs},\n})`
}
