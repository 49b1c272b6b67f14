import { fieldsOfSchema, wordsOf } from './schema.ts'

/** The fields that a JSON Schema of an object describes, for people. */
export function SchemaFields({ schema }: { schema: Record<string, unknown> }) {
  const fields = fieldsOfSchema(schema)
  if (fields.length === 0) return <p className="dim">Names no field.</p>
  return (
    <dl className="takes">
      {fields.map(({ name, isRequired, schema: field }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            {wordsOf(field)}
            {isRequired ? '' : ', optional'}
            {field.description === undefined ? '' : ` · ${field.description}`}
          </dd>
        </div>
      ))}
    </dl>
  )
}
