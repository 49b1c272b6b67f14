import { expect } from 'chai'
import { delegatedPath, depthOf, endPath } from '../../../workflows/agent-run.ts'

describe('The path of an agent run', () => {
  const chained = '1'
  const delegated = delegatedPath(chained, 'm00002.c001')
  const deeper = delegatedPath(delegated, 'k00000')

  it('says where the agent is, and how deep', () => {
    expect(delegated).to.equal('1>m00002.c001')
    expect(deeper).to.equal('1>m00002.c001>k00000')
    expect([chained, delegated, deeper].map((path) => depthOf({ path }))).to.deep.equal([0, 1, 2])
  })

  it('says which record tells its end: the execution’s, its own, or that of the call it answers', () => {
    expect(endPath({ path: '0', last: true })).to.equal('end')
    expect(endPath({ path: '0', last: false })).to.equal('0')
    expect(endPath({ path: delegated, last: false })).to.equal('1.m00002.c001')
    expect(endPath({ path: deeper, last: false })).to.equal('1>m00002.c001.k00000')
  })

  it('never lets the records of one agent pass for those of another', () => {
    // A transcript is read by the prefix `path.`, so no other agent's steps may begin with it.
    const paths = ['0', '1', '10', delegatedPath('1', 'm00000.c000'), delegatedPath('1', 'k00000')]
    for (const path of paths) {
      for (const other of paths) if (other !== path) expect(`${other}.m00000`.startsWith(`${path}.`)).to.equal(false)
    }
  })
})
