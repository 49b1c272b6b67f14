import { streams } from '../../contracts/streams.ts'
import { code, Html, html, prose } from './html.ts'
import { fieldsTable, typeOf } from './schema.ts'
import { style } from './style.ts'
import type { OpenApiDocument, Operation, Schema } from './openapi.ts'

interface Listed {
  method: string
  path: string
  operation: Operation
}

/** The interface for people: one page that needs nothing else. */
export function documentationPage(document: OpenApiDocument): string {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method, path, operation })),
  )
  const byTag = Map.groupBy(listed, ({ operation }) => operation.tags[0] ?? '')
  const { title, version, description } = document.info
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}: HTTP and WebSocket interface</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        ${navigation(title, byTag)}
        <main>
          <h1 id="top">${title}</h1>
          <p>${description}</p>
          <p>
            <small>Version ${version}. For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</small>
          </p>
          ${conventions()}
          ${[...byTag].map(
            ([tag, group]) =>
              html`<h2>${tag}</h2>
                ${group.map((endpoint) => endpointSection(endpoint, document.components.schemas))}`,
          )}
          <h2>WebSocket streams</h2>
          ${streams.map(streamSection)}
          <h2>Schemas</h2>
          ${Object.entries(document.components.schemas).map(schemaSection)}
        </main>
      </body>
    </html>`
  return page.text
}

function navigation(title: string, byTag: Map<string, Listed[]>): Html {
  const groups = [...byTag].map(
    ([tag, group]) =>
      html`<strong>${tag}</strong>${group.map(
          ({ operation }) => html`<a href="#${operation.operationId}">${operation.summary}</a>`,
        )}`,
  )
  return html`<nav>
    <a class="home" href="#top">${title}</a>
    ${groups}
    <strong>WebSocket streams</strong>
    ${streams.map(({ path, summary }) => html`<a href="#${path}">${summary}</a>`)}
  </nav>`
}

function conventions(): Html {
  const rules = [
    'Bodies and answers are JSON. Times are ISO 8601 in UTC.',
    'When SERVICE_API_KEY is set, every path below `/api` and `/ws` needs the key: `X-API-Key: <key>` or `Authorization: Bearer <key>`; on WebSockets also `?api_key=<key>`.',
    'Errors are `{"detail": "<one sentence>"}`. Every answer carries `X-Request-Id`, which the log knows too.',
    'Lists are newest first; `next_cursor` is the `cursor` of the next page and null at the end.',
    'Values of more than RESPONSE_OFFLOAD_BYTES lie in the object store: where one prompt, job or response is asked for they come in full, elsewhere as `{"offloaded": true, "pointer": {…}}`.',
  ]
  return html`<ul>
    ${rules.map((rule) => html`<li>${prose(rule)}</li>`)}
  </ul>`
}

function endpointSection({ method, path, operation }: Listed, schemas: Record<string, Schema>): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const success = responses['200']?.content['application/json'].schema ?? {}
  const others = Object.entries(responses).filter(([status]) => status !== '200')
  return html`<section id="${operationId}">
    <h3><span class="method ${method}">${method.toUpperCase()}</span>${path}</h3>
    <p>${prose(summary)}. ${prose(description ?? '')}</p>
    ${
      parameters.length === 0
        ? ''
        : html`<h4>Parameters</h4>
            ${parametersTable(parameters)}`
    }
    ${
      body === undefined
        ? ''
        : html`<h4>Body</h4>
            ${shape(body.schema, schemas)}`
    }
    <h4>Answer</h4>
    ${shape(success, schemas)}
    <h4>Errors</h4>
    <p>
      <small>${others.map(([status, response]) => html`<b>${status}</b> ${response.description} `)}</small>
    </p>
    <h4>Example</h4>
    <pre><code>${curl(method, path, body?.example)}</code></pre>
  </section>`
}

/** The fields of a schema, looked up when it has a name. */
function shape(schema: Schema, schemas: Record<string, Schema>): Html {
  const name = String(schema.$ref ?? '').replace(/.*\//, '')
  return name === ''
    ? fieldsTable(schema)
    : html`<p>${typeOf(schema)}</p>
        ${fieldsTable(schemas[name] ?? schema)}`
}

function parametersTable(parameters: Operation['parameters']): Html {
  const fields = parameters.map(({ name, description, schema, ...rest }) => {
    const place = rest.in === 'query' ? '' : ` (in the ${rest.in})`
    return [name, { ...schema, description: `${description.replace(/\.$/, '')}${place}` }]
  })
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return fieldsTable({ properties: Object.fromEntries(fields) as Record<string, Schema>, required })
}

function curl(method: string, path: string, example: unknown): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => `<${name}>`)
  const query = path.endsWith('/chat') && method === 'get' ? '?message=Hello' : ''
  const lines = [
    `curl ${method === 'post' ? '-X POST ' : ''}"$BASE_URL${filled}${query}"`,
    '-H "X-API-Key: $API_KEY"',
    ...(example === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`]),
  ]
  return lines.join(' \\\n  ')
}

function streamSection({ path, summary, query, messages }: (typeof streams)[number]): Html {
  const parameters = Object.entries(query).map(
    ([name, description]) =>
      html`<tr>
        <td>${code(`?${name}=`)}</td>
        <td>${prose(description)}</td>
      </tr>`,
  )
  return html`<section id="${path}">
    <h3><span class="method ws">WS</span>${path}</h3>
    <p>${summary}.</p>
    <table>
      ${parameters}
    </table>
    <h4>Messages</h4>
    <p>
      ${messages.map((message) => html`<a href="#schema-${message.meta()?.id ?? ''}">${message.meta()?.id ?? ''}</a> `)}
    </p>
  </section>`
}

function schemaSection([name, schema]: [string, Schema]): Html {
  return html`<section id="schema-${name}">
    <h3>${name}</h3>
    ${prose(String(schema.description ?? ''))} ${fieldsTable(schema)}
  </section>`
}
