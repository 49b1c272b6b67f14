import { code, html, prose, type Html } from './html.ts'
import type { Schema } from './openapi.ts'

/** A schema's fields as a table; a reference is a link to where the named schema is described. */
export function fieldsTable(schema: Schema): Html {
  const { properties } = schema as { properties?: Record<string, Schema> }
  if (properties === undefined) return html`<p>${typeOf(schema)}</p>`
  const required = new Set((schema.required ?? []) as string[])
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<tr>
        <td>${code(name)}${required.has(name) ? '' : html` <small>optional</small>`}</td>
        <td>${typeOf(field)}</td>
        <td>${prose(notesOf(field))}</td>
      </tr>`,
  )
  return html`<table>
    ${rows}
  </table>`
}

/** A schema's type in words. */
export function typeOf(schema: Schema): Html {
  const { $ref, anyOf, type, items, properties, const: constant } = schema as SchemaView
  if ($ref !== undefined) return schemaLink($ref.slice($ref.lastIndexOf('/') + 1))
  if (anyOf !== undefined) return joined(anyOf.map(typeOf), ' or ')
  if (schema.enum !== undefined)
    return joined(
      (schema.enum as unknown[]).map((value) => code(String(value))),
      ' | ',
    )
  if (constant !== undefined) return code(String(constant))
  if (items !== undefined) return html`array of ${typeOf(items)}`
  if (properties !== undefined) return fieldsTable(schema)
  const name = Array.isArray(type) ? type.join(' or ') : (type ?? 'any')
  return html`${schema.format === 'date-time' ? 'timestamp' : name}`
}

interface SchemaView {
  $ref?: string
  anyOf?: Schema[]
  type?: string | string[]
  items?: Schema
  properties?: object
  const?: unknown
}

function schemaLink(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`
}

function notesOf({ description, default: fallback, minimum, maximum, pattern }: Schema): string {
  const range =
    minimum === undefined
      ? undefined
      : maximum === undefined
        ? `≥ ${String(minimum)}`
        : `${String(minimum)} to ${String(maximum)}`
  return [
    typeof description === 'string' ? description.replace(/\.$/, '') : undefined,
    range,
    pattern === undefined ? undefined : `matches \`${String(pattern)}\``,
    fallback === undefined ? undefined : `default \`${String(fallback)}\``,
  ]
    .filter((note) => note !== undefined)
    .join('; ')
}

function joined(parts: Html[], between: string): Html {
  return html`${parts.flatMap((part, index) => (index === 0 ? [part] : [html`${between}`, part]))}`
}
