import { expect } from 'chai'
import { clientTypesAreCurrent } from '../../../dev/client-types.ts'

describe('Client types', () => {
  it('are those of the OpenAPI document; `npm run client:types` makes them anew', async () => {
    expect(await clientTypesAreCurrent()).to.equal(true)
  })
})
