import { useId, useState } from 'react'
import { fieldsOfSchema, problemOf, wordsOf, type SchemaField } from '../../parts/schema.ts'
import { compactJson, fieldTexts, isJson, objectOf, parseInputs } from './inputs.ts'

interface SchemaFormProps {
  schema: Record<string, unknown>
  json: string
  /** What the service said of fields when it refused these inputs. */
  refused: ReadonlyMap<string, string>
  onJson: (json: string) => void
}

/** A field for each that an agent's schema names; what is wrong is said below it. */
export function SchemaForm({ schema, json, refused, onJson }: SchemaFormProps) {
  const parsed = parseInputs(json)
  if ('problem' in parsed) return <p className="dim">The JSON has to be mended first.</p>
  const texts = fieldTexts(parsed.inputs)
  const fields = fieldsOfSchema(schema)
  const others = [...texts.keys()].filter((name) => !fields.some((field) => field.name === name))
  function change(changed: string, text: string | undefined): void {
    // Named fields stand in the order of the schema.
    const order = [...fields.map((field) => field.name), ...others]
    onJson(
      objectOf(
        order.flatMap((name): [string, string][] => {
          const given = name === changed ? text : texts.get(name)
          return given === undefined ? [] : [[name, given]]
        }),
      ),
    )
  }
  return (
    <div className="schema-form">
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          json={texts.get(field.name)}
          refused={refused.get(field.name)}
          onChange={(text) => change(field.name, text)}
        />
      ))}
      {others.length > 0 && (
        <p className="dim">
          Only in the JSON: <code>{others.join(', ')}</code>
        </p>
      )}
    </div>
  )
}

interface FieldProps {
  field: SchemaField
  /** Its value as JSON; undefined: it has none. */
  json: string | undefined
  refused: string | undefined
  onChange: (json: string | undefined) => void
}

function Field({ field, json, refused, onChange }: FieldProps) {
  const id = useId()
  const [draft, setDraft] = useState('')
  const [isTouched, setTouched] = useState(false)
  const { name, isRequired, schema } = field
  const value = json === undefined ? undefined : (JSON.parse(json) as unknown)
  // What was typed is kept as it was typed for as long as it means the value: `1.0` on the way to `1.05`.
  const text = jsonOf(draft, field) === json ? draft : textOf(json, field)
  // What is not there yet is no mistake of somebody who has not come to it. The service knows more rules, in terser words.
  const problem = (isTouched || value !== undefined ? problemOf(field, value) : undefined) ?? refused
  const attributes = {
    id: `${id}-field`,
    value: text,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-about ${id}-problem`,
    'aria-required': isRequired,
    onBlur: () => setTouched(true),
    onChange: (event: { target: { value: string } }) => {
      setDraft(event.target.value)
      onChange(jsonOf(event.target.value, field))
    },
  }
  return (
    <div className="schema-field">
      <label htmlFor={attributes.id}>
        <span>
          {name} <span className="dim">{isRequired ? '' : 'optional'}</span>
        </span>
      </label>
      <Control field={field} attributes={attributes} />
      <p id={`${id}-about`} className="dim">
        {[schema.description, choicesOf(field) === undefined ? wordsOf(schema) : undefined].filter(Boolean).join(' · ')}
      </p>
      <p id={`${id}-problem`} className="field-problem" role="status">
        {problem !== undefined && `${name} ${problem}`}
      </p>
    </div>
  )
}

/** What a field of its kind is edited in. */
function Control({ field, attributes }: { field: SchemaField; attributes: React.ComponentProps<'input'> }) {
  const choices = choicesOf(field)
  const rest = attributes as object
  if (choices !== undefined) {
    return (
      <select {...rest}>
        <option value="">{field.isRequired ? 'choose …' : 'not given'}</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  }
  const { type, maxLength = Infinity } = field.schema
  if (isNumber(field)) return <input {...attributes} inputMode="decimal" />
  if (type === 'string') return maxLength <= 120 ? <input {...attributes} /> : <textarea {...rest} rows={2} />
  return <textarea {...rest} rows={2} className="code" spellCheck={false} placeholder="JSON" />
}

function isNumber({ schema: { type } }: SchemaField): boolean {
  return type === 'number' || type === 'integer'
}

function choicesOf({ schema }: SchemaField): string[] | undefined {
  if (schema.enum?.every((choice) => typeof choice === 'string')) return schema.enum
  return schema.type === 'boolean' ? ['true', 'false'] : undefined
}

/** A value as one types it. */
function textOf(json: string | undefined, { schema }: SchemaField): string {
  if (json === undefined) return ''
  const value = JSON.parse(json) as unknown
  return typeof value === 'string' && (schema.type === 'string' || schema.enum !== undefined || !isJson(value))
    ? value
    : json
}

/** What one types as JSON: nothing is no value, and what is no JSON stays text, which the field then says is wrong. */
function jsonOf(text: string, { schema }: SchemaField): string | undefined {
  if (text === '') return undefined
  const isText = schema.type === 'string' || schema.enum?.includes(text) === true || !isJson(text)
  return isText ? JSON.stringify(text) : compactJson(text)
}
