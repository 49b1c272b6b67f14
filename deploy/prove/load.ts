import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { call, PROMPTS, repeated, say, TEXT } from './client.ts'

// Generates load while prove.sh operates on the installation: a batch whose tasks call other agents, then prompts, until the
// file GOING is removed. The id of each accepted execution is appended to the file ACCEPTED.

const { GOING = '', ACCEPTED = '' } = process.env
const TASKS = 200
const PAUSE_MS = 150

const tasks = Array.from({ length: TASKS }, (_, index) => ({ text: `${TEXT} ${index}` }))
const { job_ids: jobs } = await call<{ job_ids: string[] }>('POST', '/api/agents/coordinator/batch', { tasks })
let accepted = jobs.length
appendFileSync(ACCEPTED, jobs.map((id) => `${id}\n`).join(''))
while (existsSync(GOING)) {
  const body = PROMPTS[accepted % PROMPTS.length]
  const { prompt_id: id } = await call<{ prompt_id: string }>('POST', '/api/prompts', body)
  appendFileSync(ACCEPTED, `${id}\n`)
  accepted += 1
  await delay(PAUSE_MS)
}
say(`  ${accepted} executions accepted meanwhile; requests that had to be sent again: ${repeated.count}`)
