import { expect } from 'chai'
import { taskChunks } from '../../../client/task-chunks.ts'

describe('Chunks of tasks', () => {
  const shapes = async (tasks: object[], from: number, maxTasks: number) => {
    const found: [number, number][] = []
    const chunks = taskChunks(tasks as Record<string, unknown>[], { from, maxTasks })
    for await (const { offset, texts } of chunks) found.push([offset, texts.length])
    return found
  }
  const some = (count: number): object[] => Array.from({ length: count }, (_, n) => ({ n }))

  it('contain the tasks in order, with the position of the first', async () => {
    expect(await shapes(some(7), 0, 3)).to.deep.equal([
      [0, 3],
      [3, 3],
      [6, 1],
    ])
  })

  it('start after the tasks that the service has', async () => {
    expect(await shapes(some(5), 7, 3)).to.deep.equal([
      [7, 3],
      [10, 2],
    ])
    expect(await shapes([], 7, 3)).to.deep.equal([])
  })

  it('are limited in size, except for a single larger task', async () => {
    const tasks = [1_000_000, 1_000_000, 1_000_000, 5_000_000, 10].map((length) => ({ text: 'x'.repeat(length) }))
    expect(await shapes(tasks, 0, 1_000)).to.deep.equal([
      [0, 2],
      [2, 1],
      [3, 1],
      [4, 1],
    ])
  })

  it('are read lazily', async () => {
    let taken = 0
    function* counting(): Generator<Record<string, unknown>> {
      for (;;) yield { n: taken++ }
    }
    for await (const { offset } of taskChunks(counting(), { from: 0, maxTasks: 10 })) if (offset >= 20) break
    expect(taken).to.be.at.most(31)
  })
})
