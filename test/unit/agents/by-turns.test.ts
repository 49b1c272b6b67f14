import { expect } from 'chai'
import { setImmediate } from 'node:timers/promises'
import { byTurns } from '../../../agents/models/by-turns.ts'

describe('byTurns', () => {
  it('lets few pass in each turn of the event loop, in their order', async () => {
    const turn = byTurns(2)
    const passed: number[] = []
    for (const each of [1, 2, 3, 4, 5]) void turn().then(() => passed.push(each))
    const seen: number[][] = []
    for (let turns = 0; turns < 4; turns += 1) {
      seen.push([...passed])
      await setImmediate()
    }
    expect(seen).to.deep.equal([[], [1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 5]])
  })

  it('lets those pass that come while others wait, and those that come later', async () => {
    const turn = byTurns(1)
    const passed: string[] = []
    const pass = (name: string) => turn().then(() => void passed.push(name))
    await Promise.all([pass('first').then(() => pass('came between')), pass('second')])
    await pass('later')
    expect(passed).to.deep.equal(['first', 'second', 'came between', 'later'])
  })
})
