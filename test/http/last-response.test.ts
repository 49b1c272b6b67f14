import { expect } from 'chai'
import { startApp, type AppScene } from './app-scene.ts'

describe('A process that shuts down', () => {
  let scene: AppScene
  before(async () => {
    scene = await startApp()
  })
  after(() => scene.close())

  const connection = async (path: string) => (await scene.request('GET', path)).headers.get('connection')

  it('ends each connection with its next response, an error too, and none before', async () => {
    expect(await connection('/api/health')).to.equal('keep-alive')
    scene.closing.abort()
    expect(await connection('/api/health')).to.equal('close')
    expect(await connection('/api/nothing')).to.equal('close')
  })
})
