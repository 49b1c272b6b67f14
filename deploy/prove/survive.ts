import { setTimeout as delay } from 'node:timers/promises'
import Docker from 'dockerode'
import { WebSocket } from 'ws'
import { call, eachOnce, key, PROMPTS, say, TEXT, until, url } from './client.ts'

// The client part of prove.sh: types and logs of the containers, pools, and load while processes are killed. All accepted
// executions must end, each step once.

const docker = new Docker({ socketPath: process.env.DOCKER_SOCKET_PATH ?? '' })
const STREAM_END_MS = 30_000
const TYPES: Record<string, string> = {
  ...{ api: 'api', worker: 'worker', 'worker-machines': 'worker', proxy: 'other' },
  ...{ temporal: 'infrastructure', postgres: 'infrastructure', 'mongo-1': 'infrastructure', s3: 'infrastructure' },
}

interface Container {
  id: string
  name: string
  service_name: string
  type: string
  status: string
}

await containersAndLogs()
await pools()
await kills()

async function containersAndLogs(): Promise<void> {
  const { containers } = await call<{ containers: Container[] }>('GET', '/api/logs/containers')
  for (const { name, service_name: service, type, status } of containers.toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    say(`  ${name.padEnd(32)} ${type.padEnd(15)} ${status}`)
    if (TYPES[service] !== undefined && type !== TYPES[service]) throw new Error(`${service} has the type ${type}.`)
  }
  for (const service of Object.keys(TYPES)) {
    const container = containers.find(({ service_name: name }) => name === service)
    if (container === undefined) throw new Error(`${service} is missing in the list.`)
    const { logs } = await call<{ logs: { message: string }[] }>('GET', `/api/logs/containers/${container.name}?tail=3`)
    say(`  log of ${service}: ${logs.length} lines; ${(logs.at(-1)?.message ?? '').slice(0, 90)}`)
    if (['api', 'worker'].includes(service) && logs.length === 0) throw new Error(`${service} has no log.`)
  }
}

async function pools(): Promise<void> {
  const { response } = await call<{ response: { hostname: string } }>('GET', '/api/agents/machine/chat?message=where')
  const [machines] = await docker.listContainers({ filters: { label: ['com.docker.compose.service=worker-machines'] } })
  say(`  machine ran in container ${response.hostname}; the pool's worker is ${machines?.Id.slice(0, 12)}`)
  if (!machines?.Id.startsWith(response.hostname)) throw new Error('An agent ran outside of its pool.')
}

async function kills(): Promise<void> {
  const tasks = Array.from({ length: 400 }, (_, index) => ({ text: `${TEXT} ${index}` }))
  const { batch_id: batch, job_ids: jobs } = await call<{ batch_id: string; job_ids: string[] }>(
    'POST',
    '/api/agents/sentiment/batch',
    { tasks },
  )
  const streamed = followBatch(batch)
  let going = true
  const prompts = submitWhile(() => going)
  for (const service of ['worker', 'api', 'mongo primary', 'temporal', 'worker-machines', 'postgres']) {
    await delay(4_000)
    await kill(service)
  }
  await delay(8_000)
  going = false
  const ids = await prompts
  say(`  ${ids.length} prompts accepted meanwhile, beside a batch of ${jobs.length}`)
  const { outputs } = await until(`/api/batches/${batch}`, ({ status }) => status === 'completed')
  const summary = outputs.summary as { succeeded: number; failed: number }
  say(`  batch: ${JSON.stringify(summary)}; streamed ends: ${streamed.ends.size}, streamed twice: ${streamed.doubles}`)
  if (summary.succeeded !== jobs.length) throw new Error('Tasks of the batch were lost.')
  await eachOnce([...jobs, ...ids])
  await until('/api/health', ({ status }) => status === 'ok')
  for (const deadline = Date.now() + STREAM_END_MS; streamed.ends.size < jobs.length && Date.now() < deadline;)
    await delay(200)
  if (streamed.ends.size !== jobs.length || streamed.doubles > 0) throw new Error('The stream had a hole or a double.')
  streamed.stop()
}

/** Kills the first process of a service from outside Docker, like a crash; Docker then restarts it. */
async function kill(service: string): Promise<void> {
  const name = service === 'mongo primary' ? await mongoPrimary() : service
  const [found] = await docker.listContainers({ filters: { label: [`com.docker.compose.service=${name}`] } })
  if (found === undefined) throw new Error(`${name} does not run.`)
  const { State: state } = await docker.getContainer(found.Id).inspect()
  process.kill(state.Pid, 'SIGKILL')
  say(`  killed ${name} (${found.Names[0]?.slice(1)}, pid ${state.Pid})`)
}

async function mongoPrimary(): Promise<string> {
  // The last state change in the log of the primary is to PRIMARY.
  for (const name of ['mongo-1', 'mongo-2', 'mongo-3']) {
    const [found] = await docker.listContainers({ filters: { label: [`com.docker.compose.service=${name}`] } })
    if (found === undefined) continue
    const log = (await docker.getContainer(found.Id).logs({ stdout: true, stderr: true })).toString()
    const states = [...log.matchAll(/"newState":"([A-Z]+)"/g)].map(([, state]) => state)
    if (states.at(-1) === 'PRIMARY') return name
  }
  throw new Error('No node says that it is the primary.')
}

async function submitWhile(goesOn: () => boolean): Promise<string[]> {
  const ids: string[] = []
  for (let count = 0; goesOn(); count += 1) {
    const { prompt_id: id } = await call<{ prompt_id: string }>('POST', '/api/prompts', PROMPTS[count % PROMPTS.length])
    ids.push(id)
    await delay(250)
  }
  return ids
}

/** Follows the batch like a browser: after a lost connection it reconnects with the last id that it received. */
function followBatch(batch: string) {
  const ends = new Set<string>()
  const seen = new Set<number>()
  const state = { ends, doubles: 0, stop: () => {} }
  let last = 0
  let stopped = false
  const open = () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/batches/${batch}?after=${last}`, {
      headers: { 'x-api-key': key },
    })
    state.stop = () => {
      stopped = true
      socket.close()
    }
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; data: { spans: Span[] } }
      if (message.type !== 'traces') return
      for (const { id, event_type: type, metadata } of message.data.spans) {
        if (seen.has(id)) state.doubles += 1
        seen.add(id)
        if (type === 'task_complete') ends.add(metadata.job_id)
      }
      last = Math.max(last, ...message.data.spans.map(({ id }) => id))
    })
    socket.on('error', () => {})
    socket.on('close', () => stopped || setTimeout(open, 500))
  }
  open()
  return state
}

interface Span {
  id: number
  event_type: string
  metadata: { job_id: string }
}
