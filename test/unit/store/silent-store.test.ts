import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Blobs } from '../../../store/objects/blobs.ts'
import { createS3Blobs } from '../../../store/objects/s3.ts'

const IDLE_TIMEOUT_MS = 1_200

/** What no real S3 server can be told to do: it falls silent in the middle of a response. */
describe('An object store that stops responding', function () {
  this.timeout(60_000)
  let answer: (response: ServerResponse) => unknown
  const server = createServer((_request, response) => void answer(response))
  let blobs: Blobs
  const pointer = { bucket: 'b', key: 'k', size_bytes: 10 }

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    blobs = createS3Blobs({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'b',
      accessKeyId: 'a',
      secretAccessKey: 's',
      sessionToken: undefined,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      storedWithinMs: IDLE_TIMEOUT_MS,
    })
  })
  after(async () => {
    blobs.close()
    server.closeAllConnections()
    await once(server.close(), 'close')
  })

  const falls = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-length': 1_000 }).write('<')
  }
  const outcome = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: Error) => error)

  it('during a write causes an error for the client within the time of two attempts', async () => {
    answer = () => undefined
    const startedAt = Date.now()
    const failed = await outcome(blobs.put('k', '"text"'))
    expect(failed).to.include({
      code: 'storage_failed',
      message: 'The object store did not take k: it did not answer in time.',
    })
    expect(Date.now() - startedAt).to.be.below(20_000)
  })

  it('in the middle of an object counts as unavailable', async () => {
    answer = falls
    const failed = await outcome(blobs.get(pointer))
    expect(failed).to.include({ code: 'storage_failed' })
    expect(failed).to.have.property('message').that.contains('nothing came for 1.2 s')
  })

  it('in the middle of a list or of the response to a deletion counts as unavailable', async () => {
    answer = falls
    const outcomes = await Promise.all([blobs.list('', ''), blobs.remove(['k'])].map(outcome))
    for (const failed of outcomes) expect(failed).to.include({ code: 'storage_failed' })
  })

  it('only between regular chunks is waited for', async () => {
    answer = async (response) => {
      for (let piece = 0; piece < 6; piece += 1) {
        response.write('"a piece"')
        await sleep(IDLE_TIMEOUT_MS / 3)
      }
      response.end()
    }
    expect(await blobs.get(pointer)).to.equal('"a piece"'.repeat(6))
  })

  it('is not reported to a reader that pauses', async () => {
    const text = 'x'.repeat(4_000_000)
    answer = (response) => response.end(text)
    const body = await blobs.open(pointer)
    const pieces: Buffer[] = []
    for await (const piece of body) {
      if (pieces.length === 30) await sleep(IDLE_TIMEOUT_MS * 2)
      pieces.push(piece)
    }
    expect(Buffer.concat(pieces).toString()).to.equal(text)
  })
})
