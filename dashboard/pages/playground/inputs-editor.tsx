import { useId } from 'react'
import { Segmented } from '../../parts/segmented.tsx'
import { SchemaForm } from './schema-form.tsx'
import { fieldsOf, parseInputs, textOf, withField, type InputsView } from './inputs.ts'

interface InputsEditorProps {
  json: string
  view: InputsView
  /** What the agent takes, where it says so. */
  schema: Record<string, unknown> | undefined
  /** What the service said of fields when it refused these inputs. */
  refused: ReadonlyMap<string, string>
  onJson: (json: string) => void
  onView: (view: InputsView) => void
}

const JSON_VIEW = { value: 'json', label: 'JSON' } as const
const FREE = [{ value: 'text', label: 'Text' }, { value: 'fields', label: 'Fields' }, JSON_VIEW] as const
const DESCRIBED = [{ value: 'form', label: 'Form' }, JSON_VIEW] as const

/** One value in several views: as the form of a schema or, without one, as a text or as fields; and as JSON. */
export function InputsEditor({ json, view, schema, refused, onJson, onView }: InputsEditorProps) {
  const id = useId()
  const parsed = parseInputs(json)
  return (
    <div className="inputs">
      <div className="group-head">
        <span id={`${id}-label`}>Inputs</span>
        <Segmented label="Inputs as" options={schema === undefined ? FREE : DESCRIBED} value={view} onChange={onView} />
      </div>
      {view === 'form' && schema !== undefined && (
        <SchemaForm schema={schema} json={json} refused={refused} onJson={onJson} />
      )}
      {view === 'text' && (
        <textarea
          aria-label="query"
          rows={5}
          placeholder="What should it do? (sent as query)"
          value={textOf(json)}
          onChange={(event) => onJson(JSON.stringify({ query: event.target.value }, null, 2))}
        />
      )}
      {view === 'fields' && <Fields json={json} onJson={onJson} />}
      {view === 'json' && (
        <>
          <textarea
            aria-label="Inputs as JSON"
            className="code"
            rows={10}
            spellCheck={false}
            value={json}
            aria-invalid={'problem' in parsed}
            aria-describedby={`${id}-problem`}
            onChange={(event) => onJson(event.target.value)}
          />
          <button
            type="button"
            className="quiet"
            disabled={'problem' in parsed}
            onClick={() => 'inputs' in parsed && onJson(JSON.stringify(parsed.inputs, null, 2))}
          >
            Format
          </button>
        </>
      )}
      <p id={`${id}-problem`} className="field-error" role="status">
        {'problem' in parsed ? parsed.problem : ''}
      </p>
    </div>
  )
}

function Fields({ json, onJson }: { json: string; onJson: (json: string) => void }) {
  const fields = fieldsOf(json)
  if (fields === undefined) return <p className="dim">The JSON has to be mended first.</p>
  return (
    <div className="fields">
      {fields.map(([name, value], index) => (
        <div key={index} className="field-row">
          <input
            aria-label={`Name of field ${index + 1}`}
            value={name}
            onChange={(event) => onJson(withField(fields, index, [event.target.value, value]))}
          />
          <input
            aria-label={`Value of ${name}`}
            value={value}
            onChange={(event) => onJson(withField(fields, index, [name, event.target.value]))}
          />
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${name}`}
            onClick={() => onJson(withField(fields, index, undefined))}
          >
            ✕
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onJson(withField(fields, fields.length, [`field${fields.length + 1}`, '']))}>
        Add a field
      </button>
      <p className="dim">A value that is JSON (a number, true, a list …) is sent as that; anything else as text.</p>
    </div>
  )
}
