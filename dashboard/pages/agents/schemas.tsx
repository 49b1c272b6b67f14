import type { Schema } from '../../../client/index.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Panel } from '../../parts/panel.tsx'
import { SchemaFields } from '../../parts/schema-fields.tsx'

/** What an agent takes and gives, where it says so. */
export function Schemas({ agent: { input, output } }: { agent: Pick<Schema<'Agent'>, 'input' | 'output'> }) {
  return (
    <>
      <SchemaPanel title="Takes" schema={input} />
      <SchemaPanel title="Gives" schema={output} />
    </>
  )
}

/** Null, or undefined from a service that knows no schemas: anything. */
function SchemaPanel({ title, schema }: { title: string; schema: Record<string, unknown> | null | undefined }) {
  if (schema == null) return null
  return (
    <Panel title={title}>
      <SchemaFields schema={schema} />
      <details>
        <summary className="dim">JSON Schema</summary>
        <JsonView value={schema} label={`the schema of what it ${title.toLowerCase()}`} />
      </details>
    </Panel>
  )
}
