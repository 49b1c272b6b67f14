import { streams } from '../../contracts/streams.ts'

const CONVENTIONS = `
A durable orchestrator for AI agents.

- Bodies and responses are JSON in UTF-8. Numbers of any length come back with all of their digits; the code of agents and tools
  gets them as doubles, so what it computes with more than 15 digits should be a string. Times are ISO 8601 in UTC.
- When the service has keys, every path below \`/api\` and \`/ws\` needs one: \`X-API-Key: <key>\` or
  \`Authorization: Bearer <key>\`; on WebSockets also \`?api_key=<key>\`. A key has a role: read, submit or admin.
- Errors are \`{"detail": "<one sentence>"}\`. Every response carries \`X-Request-Id\`, which the log knows too.
- Lists are newest first. \`next_cursor\` is the \`cursor\` of the next page and null at the end; \`offset\` skips.
- Values of more than RESPONSE_OFFLOAD_BYTES lie in the object store: where one prompt, job or response is asked for they come in
  full, elsewhere as \`{"offloaded": true, "pointer": {…}}\`.
`

/** What the whole interface has in common, and its WebSocket streams, which OpenAPI has no words for; in Markdown. */
export function introduction(): string {
  return `${CONVENTIONS}\n## WebSocket streams\n\n${streams.map(streamSection).join('\n')}`
}

function streamSection({ path, summary, query, messages }: (typeof streams)[number]): string {
  const parameters = Object.entries(query).map(([name, meaning]) => `\n  - \`?${name}=\` ${meaning}`)
  const names = messages.map((message) => message.meta()?.id ?? '')
  return `- \`${path}\`: ${summary}. Messages: ${names.join(', ')} (see Schemas).${parameters.join('')}`
}
