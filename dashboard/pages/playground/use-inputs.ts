import { useState } from 'react'
import type { Schema } from '../../../client/index.ts'
import { defaultsOf } from '../../parts/schema.ts'
import type { InputsView } from './inputs.ts'

const EXAMPLE = { query: 'Why is the sky blue?' }

/**
 * The inputs as they are typed, and the view that they are typed in.
 * @param origin - inputs of an execution to begin with; else they are an example for the agent until something is typed.
 */
export function useInputs(agents: Schema<'Agent'>[], agent: string, origin: Record<string, unknown> | undefined) {
  const [typed, setJson] = useState(() => origin && JSON.stringify(origin, null, 2))
  const [wish, setView] = useState<InputsView>()
  const schema = agents.find(({ name }) => name === agent)?.input ?? undefined
  const json = typed ?? JSON.stringify(schema === undefined ? EXAMPLE : defaultsOf(schema), null, 2)
  const view = viewOf(wish, schema !== undefined, origin === undefined || isQuery(origin))
  return { json, view, schema, setJson, setView }
}

/** A form where there is a schema for it; else a text where that is all there is, or JSON. */
function viewOf(wish: InputsView | undefined, hasSchema: boolean, isText: boolean): InputsView {
  if (wish === 'json' || (wish !== undefined && (wish === 'form') === hasSchema)) return wish
  if (hasSchema) return 'form'
  return isText ? 'text' : 'json'
}

function isQuery(inputs: Record<string, unknown>): boolean {
  return Object.keys(inputs).length === 1 && typeof inputs.query === 'string'
}
