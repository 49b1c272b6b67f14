import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../api/docs/openapi.ts'

/** Generates the types of the client from the OpenAPI document of the service. */
const CLIENT_TYPES_FILE = new URL('../client/openapi.ts', import.meta.url)

const HEADING = '// Made from the OpenAPI document by `npm run client:types`; do not edit.\n'

/** The text of client/openapi.ts for the current contracts. */
async function clientTypes(): Promise<string> {
  const document = openApiDocument() as unknown as OpenAPI3
  const nodes = await openapiTS(document, { defaultNonNullable: false, emptyObjectsUnknown: true })
  return `${HEADING}\n${astToString(nodes)}`
}

/** Whether the checked-in types match the contracts. */
export async function clientTypesAreCurrent(): Promise<boolean> {
  return (await readFile(CLIENT_TYPES_FILE, 'utf8')) === (await clientTypes())
}

if (import.meta.main) await writeFile(CLIENT_TYPES_FILE, await clientTypes())
