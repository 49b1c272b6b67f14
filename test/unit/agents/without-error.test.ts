import { expect } from 'chai'
import { withoutError } from '../../../agents/models/without-error.ts'

const json = { 'content-type': 'application/json' }

describe('A response under status 200', () => {
  it('is given on before its end where it is a stream, also one that is called JSON', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const say = (text: string) => writer.write(new TextEncoder().encode(text))
    const given = withoutError(new Response(readable, { headers: json }))
    await say('\n')
    void say('data: {"n":1}\n\n')
    const response = await given
    void say('data: {"n":2}\n\n').then(() => writer.close())
    expect(await response.text()).to.equal('\ndata: {"n":1}\n\ndata: {"n":2}\n\n')
  })

  it('is an answer where its JSON says nothing of an error, and one where it is empty', async () => {
    for (const text of ['{"choices":[]}', '']) {
      expect(await (await withoutError(new Response(text, { headers: json }))).text()).to.equal(text)
    }
  })

  it('is thrown where it says that there was an error', async () => {
    const failed = withoutError(new Response('{"error":{"message":"overloaded"}}', { headers: json }))
    expect(await failed.catch((error: Error) => error.message)).to.equal('overloaded')
  })
})
