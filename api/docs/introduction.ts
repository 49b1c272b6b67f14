import { streams } from '../../contracts/streams.ts'

const CONVENTIONS = `
A durable orchestrator for AI agents.

- Request and response bodies are JSON in UTF-8. The service returns numbers with all of their digits. The code of agents and
  tools receives them as doubles, so send values with more than 15 significant digits as strings. Times are ISO 8601 in UTC.
- When the service has keys, all paths below \`/api\` and \`/ws\` require one: \`X-API-Key: <key>\` or
  \`Authorization: Bearer <key>\`; WebSockets also accept \`?api_key=<key>\`. A key has the role read, submit or admin.
- Errors are \`{"detail": "<one sentence>"}\`. Every response has an \`X-Request-Id\` header; log lines contain the same id.
- Lists are newest first. Pass \`next_cursor\` as \`cursor\` to get the next page; it is null on the last page. \`offset\` skips items.
- Values larger than RESPONSE_OFFLOAD_BYTES are kept in the object store. Requests for a single prompt, job or response return
  them in full; other responses contain \`{"offloaded": true, "pointer": {…}}\` instead.
`

/** Markdown on the conventions of the interface and its WebSocket streams, which OpenAPI cannot describe. */
export function introduction(): string {
  return `${CONVENTIONS}\n## WebSocket streams\n\n${streams.map(streamSection).join('\n')}`
}

function streamSection({ path, summary, query, messages }: (typeof streams)[number]): string {
  const parameters = Object.entries(query).map(([name, meaning]) => `\n  - \`?${name}=\` ${meaning}`)
  const names = messages.map((message) => message.meta()?.id ?? '')
  return `- \`${path}\`: ${summary}. Messages: ${names.join(', ')} (see Schemas).${parameters.join('')}`
}
