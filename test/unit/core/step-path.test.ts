import { expect } from 'chai'
import {
  calledPath,
  callerOf,
  checkPath,
  codeStep,
  depthOf,
  endPath,
  failurePath,
  inputsPath,
  isCodeCall,
  modelCall,
  parseToolCall,
  pathOfKey,
  repairPath,
  startPath,
  stepKey,
  toolCall,
  warnedPath,
} from '../../../core/step-path.ts'

describe('The grammar of step paths', () => {
  const chained = '1'
  const delegated = calledPath(chained, toolCall(2, 1))
  const codeCall = codeStep(chained, 'k', '0123abcd', 0)
  const deeper = calledPath(delegated, 'k0123abcd-00000')

  const runs: [title: string, path: string, last: boolean, expected: { depth: number; end: string }][] = [
    ['the last agent of a chain', '1', true, { depth: 0, end: 'end' }],
    ['an agent of a chain', '1', false, { depth: 0, end: '1' }],
    ['an agent that a model delegated to', delegated, false, { depth: 1, end: '1.m00002.c001' }],
    ['an agent that code called', deeper, false, { depth: 2, end: '1>m00002.c001.k0123abcd-00000' }],
  ]
  for (const [title, path, last, { depth, end }] of runs) {
    it(`says how deep ${title} is, and which record tells its end`, () => {
      expect(depthOf(path)).to.equal(depth)
      expect(endPath({ path, last })).to.equal(end)
    })
  }

  it('builds what it parses', () => {
    expect([checkPath('0', 'in'), repairPath(2)]).to.deep.equal(['0.check-in', 'm00002.repair'])
    expect(warnedPath('batch')).to.equal('batch.warned')
    expect([modelCall(2), toolCall(2, 1), toolCall(123_456, 1_234)]).to.deep.equal([
      'm00002',
      'm00002.c001',
      'm123456.c1234',
    ])
    for (const [step, index] of [
      [0, 0],
      [2, 1],
      [123_456, 1_234],
    ] as const) {
      expect(parseToolCall(toolCall(step, index))).to.deep.equal({ step, index })
    }
    for (const other of ['m00002', 'k0123abcd-00000', 'm00002.c001.k0123abcd-00000', 'm2.c1', ''])
      expect(parseToolCall(other)).to.equal(undefined)
    expect(callerOf(delegated)).to.deep.equal({ path: '1', call: 'm00002.c001' })
    expect(callerOf(deeper)).to.deep.equal({ path: delegated, call: 'k0123abcd-00000' })
    expect(callerOf('1')).to.equal(undefined)
    expect(pathOfKey(stepKey('job', delegated))).to.equal(delegated)
  })

  it('tells calls of code from those of models', () => {
    expect(codeCall).to.equal('1.k0123abcd-00000')
    for (const call of ['k0123abcd-00000', 'm00002.c001.k0123abcd-00012']) expect(isCodeCall(call)).to.equal(true)
    for (const call of ['m00002.c001', 's0123abcd-00000', 'z0123abcd-00000']) expect(isCodeCall(call)).to.equal(false)
  })

  it('names what belongs to a step by the step', () => {
    expect([startPath(delegated), inputsPath(codeCall), failurePath('0.m00001', 7)]).to.deep.equal([
      '1>m00002.c001.start',
      '1.k0123abcd-00000.in',
      '0.m00001.e00007',
    ])
  })

  it('never lets the records of one agent pass for those of another', () => {
    // The records of a run are read by the prefix `path.`, so no other agent's steps may begin with it.
    const paths = ['0', '1', '10', calledPath('1', toolCall(0, 0)), calledPath('1', 'k0123abcd-00000')]
    for (const path of paths) {
      for (const other of paths) if (other !== path) expect(`${other}.m00000`.startsWith(`${path}.`)).to.equal(false)
    }
  })

  it('keeps the order of steps in the order of keys', () => {
    const keys = [0, 1, 9, 10, 99, 100, 99_999].map((step) => modelCall(step))
    expect(keys.toSorted()).to.deep.equal(keys)
  })
})
