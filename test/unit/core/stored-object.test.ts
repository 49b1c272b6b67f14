import { expect } from 'chai'
import { isOrphan, parseObjectKey, type ObjectRecords } from '../../../core/stored-object.ts'

const JOB = '0b8ac1de-1111-4222-8333-444455556666'
const ATTEMPT = 'f2a7c6'

describe('keys of stored objects', () => {
  for (const [key, kind] of [
    [`inputs/${JOB}.json`, 'inputs'],
    [`responses/2026/11/22/${JOB}.json`, 'response'],
    [`responses/2026/11/22/${JOB}.${ATTEMPT}.json`, 'response'],
    [`steps/${JOB}/0.m00001.json`, 'step'],
    [`steps/${JOB}/0>m00001.c001.arguments.${ATTEMPT}.json`, 'step'],
    ['idempotency/abcdef.json', 'idempotency'],
    ['cache/abcdef.0123.json', 'cache'],
  ] as const) {
    it(`${key} is of kind ${kind}`, () => expect(parseObjectKey(key)?.kind).to.equal(kind))
  }

  for (const key of [
    '',
    'inputs/',
    'inputs/.json',
    'inputs/a/b.json',
    'inputs/a.txt',
    'steps/a.json',
    'steps//a.json',
    `steps/${JOB}/a/b.json`,
    'responses/2026/a.json',
    'reports/2026.json',
    'installations/a.json',
  ]) {
    it(`"${key}" is none of ours`, () => expect(parseObjectKey(key)).to.equal(undefined))
  }
})

describe('orphans', () => {
  const ended = { ended: true, inputsKey: undefined, outputsKey: undefined }
  const judge = (key: string, records: Partial<ObjectRecords>): boolean => {
    const object = parseObjectKey(key)
    if (object === undefined) return expect.fail(`${key} should be ours`)
    return isOrphan(key, object, { execution: ended, steps: new Map(), idempotency: false, ...records })
  }

  it('are all objects of an execution that is gone, and none of one that has not ended', () => {
    for (const key of [
      `inputs/${JOB}.json`,
      `responses/2026/11/22/${JOB}.json`,
      `steps/${JOB}/0.m00001.${ATTEMPT}.json`,
    ]) {
      expect(judge(key, { execution: undefined }), key).to.equal(true)
      expect(judge(key, { execution: { ...ended, ended: false } }), key).to.equal(false)
    }
  })

  it('are responses and inputs that the execution does not point to', () => {
    const [inputsKey, outputsKey] = [`inputs/${JOB}.json`, `responses/2026/11/22/${JOB}.${ATTEMPT}.json`]
    const execution = { ended: true, inputsKey, outputsKey }
    expect(judge(inputsKey, { execution })).to.equal(false)
    expect(judge(outputsKey, { execution })).to.equal(false)
    expect(judge(`responses/2026/11/22/${JOB}.other.json`, { execution })).to.equal(true)
    expect(judge(inputsKey, {})).to.equal(true)
  })

  it('are steps that another attempt recorded, or nobody', () => {
    const key = `steps/${JOB}/0.m00001.c002.${ATTEMPT}.json`
    expect(judge(key, { steps: new Map([['0.m00001.c002', ATTEMPT]]) })).to.equal(false)
    expect(judge(key, { steps: new Map([['0.m00001.c002', 'another']]) })).to.equal(true)
    expect(judge(key, { steps: new Map([['0.m00001', ATTEMPT]]) })).to.equal(true)
    expect(judge(key, {})).to.equal(true)
  })

  it('are not what belongs to a recorded step: its arguments, its result, the inputs of its agent', () => {
    for (const [name, path] of [
      [`0.m00001.c002.arguments.${ATTEMPT}`, '0.m00001.c002'],
      [`0.m00001.c002.result.${ATTEMPT}`, '0.m00001.c002'],
      [`0.inputs.${ATTEMPT}`, '0.start'],
      [`0.inputs.${ATTEMPT}`, '0'],
      [`1.inputs.${ATTEMPT}`, 'end'],
    ] as const) {
      expect(judge(`steps/${JOB}/${name}.json`, { steps: new Map([[path, ATTEMPT]]) }), name).to.equal(false)
    }
  })

  it('are not what was recorded before attempts had names', () => {
    for (const [name, path] of [
      ['0.m00001', '0.m00001'],
      ['0.k00000.in', '0.k00000.in'],
      ['0.m00001.c002.arguments', '0.m00001.c002'],
      ['0.inputs', 'end'],
    ] as const) {
      expect(judge(`steps/${JOB}/${name}.json`, { steps: new Map([[path, undefined]]) }), name).to.equal(false)
    }
  })

  it('are cached answers that the cache does not point to', () => {
    expect(judge('cache/a.01.json', { cacheKey: 'cache/a.01.json' })).to.equal(false)
    expect(judge('cache/a.01.json', { cacheKey: 'cache/a.02.json' })).to.equal(true)
    expect(judge('cache/a.01.json', {})).to.equal(true)
  })

  it('are answers under an Idempotency-Key that is not kept any more', () => {
    expect(judge('idempotency/a.json', { idempotency: true })).to.equal(false)
    expect(judge('idempotency/a.json', {})).to.equal(true)
  })
})
