import { expect } from 'chai'
import { WaitingLine, type Turn } from '../../../../activities/limits/waiting-line.ts'

describe('The waiting line of an account', () => {
  const turn = (name: Turn['class'], key = '', weight = 1): Turn => ({ class: name, key, weight })

  it('lets chats go before prompts before tasks', () => {
    const line = new WaitingLine<Turn>()
    for (const name of ['task', 'prompt', 'chat', 'task', 'chat'] as const) line.add(turn(name))
    expect(line.sizes).to.deep.equal({ chat: 2, prompt: 1, task: 2 })
    const taken = Array.from({ length: 6 }, () => line.take()?.class)
    expect(taken).to.deep.equal(['chat', 'chat', 'prompt', 'task', 'task', undefined])
    expect(line.isEmpty).to.equal(true)
  })

  it('lets keys take turns by their weights, also one that comes late', () => {
    const line = new WaitingLine<Turn>()
    for (let index = 0; index < 100; index += 1) line.add(turn('task', 'many'))
    for (let index = 0; index < 20; index += 1) line.take()
    for (let index = 0; index < 30; index += 1) line.add(turn('task', 'heavy', 3))
    const taken = Array.from({ length: 40 }, () => line.take()?.key)
    expect(taken.filter((key) => key === 'heavy').length).to.be.within(29, 30)
    expect(taken.slice(0, 8)).to.include('many')
  })

  it('lets the keys of tasks share by the parts that they are given, and those without one as the least of them', () => {
    const line = new WaitingLine<Turn>()
    for (let index = 0; index < 100; index += 1) {
      for (const key of ['half', 'tenth', 'unnamed']) line.add(turn('task', key))
    }
    line.shareBy(
      new Map([
        ['half', 0.5],
        ['tenth', 0.1],
      ]),
    )
    const taken = Array.from({ length: 70 }, () => line.take()?.key)
    const count = (name: string) => taken.filter((key) => key === name).length
    expect([count('half'), count('tenth'), count('unnamed')]).to.deep.equal([50, 10, 10])
  })

  it('keeps the order of one key, and forgets who left', () => {
    const line = new WaitingLine<Turn & { id: number }>()
    const items = Array.from({ length: 5 }, (_, id) => ({ ...turn('prompt', 'k'), id }))
    for (const item of items) line.add(item)
    line.remove(items[1] as (typeof items)[0])
    line.remove(items[1] as (typeof items)[0])
    expect([...line].map(({ id }) => id)).to.deep.equal([0, 2, 3, 4])
    expect(line.take()?.id).to.equal(0)
    expect(line.sizes.prompt).to.equal(3)
  })
})
