import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../streams/client.ts'
import { eventually, type TestService } from '../support/service.ts'
import { startScene } from './scene.ts'

describe('Keys with names and roles', function () {
  this.timeout(120_000)
  let service: TestService
  let folder: string
  let file: string
  const keys = [
    { name: 'board', key: 'reading', role: 'read' },
    { name: 'night', key: 'submitting', role: 'submit', agents: ['instant'] },
    { name: 'owner', key: 'administering', role: 'admin' },
  ]
  const as =
    (key: string) =>
    (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      service.request(method, path, body, { 'x-api-key': key, ...more })
  const [board, night, owner, first] = ['reading', 'submitting', 'administering', 'environment'].map(as) as [
    ReturnType<typeof as>,
    ReturnType<typeof as>,
    ReturnType<typeof as>,
    ReturnType<typeof as>,
  ]

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-keys-'))
    file = join(folder, 'keys.json')
    await writeFile(file, JSON.stringify(keys))
    service = await startScene({ env: { API_KEYS_FILE: file, SERVICE_API_KEY: 'environment' } })
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  const prompt = { prompt_name: 'instant', inputs: {} }

  it('with the role read can read everything and change nothing', async () => {
    for (const path of ['/api/health', '/api/jobs', '/api/agents', '/api/traces/grouped', '/api/metrics']) {
      expect((await board('GET', path)).status, path).to.equal(200)
    }
    const before = await service.store.executions.countDocuments()
    for (const [method, path, body] of [
      ['POST', '/api/prompts', prompt],
      ['POST', '/api/prompts', '{'],
      ['POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} }],
      ['POST', '/api/jobs/x/replay', {}],
      ['POST', '/api/prompts/x/cancel', undefined],
      ['POST', '/api/batches/x/cancel', undefined],
      ['POST', '/api/agents/instant/batch', { tasks: [{}] }],
      ['POST', '/api/agents/instant/chat', { message: 'x' }],
      ['GET', '/api/agents/instant/chat?message=x', undefined],
    ] as const) {
      const answer = await board(method, path, body)
      expect(answer.status, path).to.equal(403)
      expect(answer.body.detail).to.equal('The key "board" has the role read, but this request needs the role submit.')
    }
    expect(await service.store.executions.countDocuments()).to.equal(before)
    const stream = new Client(`${service.api.wsUrl}/ws/events?api_key=reading`)
    await stream.opened()
    stream.leave()
  })

  it('can read their permissions; only admins can list all keys', async () => {
    const seen = await board('GET', '/api/keys')
    expect(seen.body).to.deep.equal({ own: { name: 'board', role: 'read', agents: null }, keys: null })
    const submitter = await night('GET', '/api/keys')
    expect(submitter.body.own).to.deep.equal({ name: 'night', role: 'submit', agents: ['instant'] })
    const admin = await owner('GET', '/api/keys')
    expect(admin.body.keys).to.deep.include({ name: 'night', role: 'submit', agents: ['instant'], weight: 1 })
    expect(JSON.stringify(admin.body)).to.not.match(/reading|submitting|administering/)
  })

  it('with the role submit can submit to their agents and cancel', async () => {
    const { status, body } = await night('POST', '/api/prompts', prompt)
    expect(status).to.equal(200)
    expect((await night('POST', `/api/prompts/${body.prompt_id}/cancel`)).status).to.equal(200)
    for (const [path, other] of [
      ['/api/prompts', { prompt_name: 'upper', inputs: {} }],
      ['/api/prompts', { ...prompt, mode: 'sequential', agents: ['instant', 'upper'] }],
      ['/api/prompts', { prompt_name: 'unknown', inputs: {} }],
      ['/api/jobs', { pipeline_name: 'upper', inputs: {} }],
      ['/api/agents/upper/batch', { tasks: [{}] }],
      ['/api/agents/upper/chat', { message: 'x' }],
    ] as const) {
      const answer = await night('POST', path, other)
      expect(answer.status, path).to.equal(403)
      expect(answer.body.detail).to.match(/^The key "night" may not submit to the agent "(upper|unknown)"\.$/)
    }
  })

  it('are named in submitted_by', async () => {
    const { prompt_id } = (await night('POST', '/api/prompts', prompt)).body
    const { job_id } = (await first('POST', '/api/jobs', { pipeline_name: 'instant', inputs: {} })).body
    const { batch_id, job_ids } = (await owner('POST', '/api/agents/instant/batch', { tasks: [{}], wait: true })).body
    const added = { agent_name: 'instant', tasks: [{}], wait: true }
    const more = (await night('POST', `/api/batches/${batch_id}/add-tasks`, added)).body
    const nameOf = async (path: string) => (await board('GET', path)).body.submitted_by as unknown
    expect(await nameOf(`/api/prompts/${prompt_id}`)).to.equal('night')
    expect(await nameOf(`/api/jobs/${job_id}`)).to.equal('key-1')
    expect(await nameOf(`/api/batches/${batch_id}`)).to.equal('owner')
    expect(await nameOf(`/api/jobs/${job_ids[0]}`)).to.equal('owner')
    expect(await nameOf(`/api/jobs/${more.added_job_ids[0]}`)).to.equal('night')
  })

  it('are named in the log, and never written into it', async () => {
    const requestId = 'of-night'
    await night('GET', '/api/agents', undefined, { 'x-request-id': requestId })
    const logs = await eventually(
      () => service.api.logs(),
      (text) => text.includes(`"requestId":"${requestId}"`),
    )
    const line = logs.split('\n').find((text) => text.includes(requestId)) ?? '{}'
    expect(JSON.parse(line)).to.include({ key: 'night', path: '/api/agents' })
    for (const { key } of keys) expect(logs).not.to.contain(key)
  })

  it('are added and removed with a reload of the file, which also closes streams of removed keys', async () => {
    const [gone, stays] = ['reading', 'administering'].map(
      (key) => new Client(`${service.api.wsUrl}/ws/events`, { 'x-api-key': key }),
    ) as [Client, Client]
    await Promise.all([gone.opened(), stays.opened()])
    await writeFile(file, JSON.stringify([...keys.slice(1), { name: 'guest', key: 'visiting', role: 'read' }]))
    process.kill(service.api.pid as number, 'SIGHUP')
    await eventually(
      () => as('visiting')('GET', '/api/health'),
      ({ status }) => status === 200,
    )
    expect((await board('GET', '/api/health')).status).to.equal(401)
    expect(await gone.closed).to.deep.equal({ code: 1008, reason: 'The API key is no longer valid' })
    expect(stays.socket.readyState).to.equal(stays.socket.OPEN)
    stays.leave()
    await writeFile(file, 'nonsense')
    process.kill(service.api.pid as number, 'SIGHUP')
    await eventually(
      () => service.api.logs(),
      (text) => text.includes('the keys stay unchanged'),
    )
    expect((await owner('GET', '/api/health')).status).to.equal(200)
  })
})
