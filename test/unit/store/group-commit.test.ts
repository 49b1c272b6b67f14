import { expect } from 'chai'
import { GroupCommitter, type GroupCommitterOptions } from '../../../store/mongodb/group-commit.ts'

/** A commit that waits until the test lets it go on; items are numbers and weigh their value. */
function createScene(options: Partial<GroupCommitterOptions<number, string>> = {}) {
  const commits: { items: number[]; done: (error?: Error) => void }[] = []
  const group = new GroupCommitter<number, string>({
    commit: (items) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => `done ${item}`)))
        commits.push({ items, done })
      }),
    maxItems: 3,
    maxWeight: 100,
    weigh: (item) => item,
    gatherMs: 0,
    ...options,
  })
  const commit = async (index: number) => {
    while (commits[index] === undefined) await new Promise((resolve) => setImmediate(resolve))
    return commits[index]
  }
  return { group, commits, commit }
}

describe('GroupCommitter', () => {
  it('commits what comes while it gathers in one go, each with its own result', async () => {
    const { group, commits, commit } = createScene()
    const results = [group.add(1), group.add(2)]
    ;(await commit(0)).done()
    expect(await Promise.all(results)).to.deep.equal(['done 1', 'done 2'])
    expect(commits).to.have.length(1)
  })

  it('gathers the next group while one is being committed, in order, never two at a time', async () => {
    const { group, commits, commit } = createScene()
    const first = group.add(1)
    const { done } = await commit(0)
    const later = [2, 3, 4, 5].map((item) => group.add(item))
    await new Promise((resolve) => setImmediate(resolve))
    expect(commits).to.have.length(1)
    done()
    await first
    ;(await commit(1)).done()
    ;(await commit(2)).done()
    await Promise.all(later)
    expect(commits.map(({ items }) => items)).to.deep.equal([[1], [2, 3, 4], [5]])
  })

  it('keeps below the weight, and lets a heavier item go alone', async () => {
    const { group, commits, commit } = createScene({ maxItems: 10 })
    const all = [60, 40, 1, 500, 2].map((item) => group.add(item))
    for (let index = 0; index < 4; index += 1) (await commit(index)).done()
    await Promise.all(all)
    expect(commits.map(({ items }) => items)).to.deep.equal([[60, 40], [1], [500], [2]])
  })

  it('fails the items of a group that failed, and goes on with the next', async () => {
    const { group, commit } = createScene({ maxItems: 1 })
    const [bad, good] = [group.add(1), group.add(2)]
    ;(await commit(0)).done(new Error('no'))
    expect(await bad.catch((error: Error) => error.message)).to.equal('no')
    ;(await commit(1)).done()
    expect(await good).to.equal('done 2')
  })

  it('drains everything that was added, also while it drains, and at once when idle', async () => {
    const { group, commits, commit } = createScene({ maxItems: 1 })
    await group.drain()
    const all = [group.add(1), group.add(2)]
    let drained = false
    const draining = group.drain().then(() => (drained = true))
    ;(await commit(0)).done()
    await all[0]
    expect(drained).to.equal(false)
    ;(await commit(1)).done()
    await draining
    expect(commits).to.have.length(2)
    const again = group.add(3)
    ;(await commit(2)).done()
    expect(await again).to.equal('done 3')
  })
})
