import { expect } from 'chai'
import type { ZodType } from 'zod'
import { chatBody, chatQuery } from '../../../../contracts/agents.ts'
import { batchBody } from '../../../../contracts/batches.ts'
import { logQuery } from '../../../../contracts/containers.ts'
import { listJobs } from '../../../../contracts/jobs.ts'
import { promptBody } from '../../../../contracts/prompts.ts'
import { sentenceOf } from '../../../../api/http/sentence.ts'

function check(schema: ZodType, value: unknown): string | undefined {
  const { error } = schema.safeParse(value, { reportInput: true })
  return error === undefined ? undefined : sentenceOf(error.issues, 'The body')
}

describe('contracts', () => {
  for (const [schema, value, sentence] of [
    [promptBody, null, 'The body must be an object.'],
    [promptBody, [], 'The body must be an object.'],
    [promptBody, { inputs: {} }, 'prompt_name is required.'],
    [promptBody, { prompt_name: '', inputs: {} }, 'prompt_name must not be empty.'],
    [promptBody, { prompt_name: 'a' }, 'inputs is required.'],
    [promptBody, { prompt_name: 'a', inputs: null }, 'inputs must be an object.'],
    [promptBody, { prompt_name: 'a', inputs: 'x' }, 'inputs must be an object.'],
    [promptBody, { prompt_name: 'a', inputs: {}, mode: 'both' }, 'mode must be single or sequential.'],
    [promptBody, { prompt_name: 'a', inputs: {}, agents: 'b' }, 'agents must be an array.'],
    [promptBody, { prompt_name: 'a', inputs: {}, agents: ['b', 1] }, 'agents[1] must be a string.'],
    [
      promptBody,
      { prompt_name: 'a', inputs: {}, agents: Array(1001).fill('b') },
      'agents must have at most 1000 entries.',
    ],
    [batchBody, { tasks: {} }, 'tasks must be an array.'],
    [batchBody, { tasks: [] }, 'tasks must not be empty.'],
    [batchBody, { tasks: [{}, []] }, 'tasks[1] must be an object.'],
    [batchBody, { tasks: [{}], wait: 'yes' }, 'wait must be a boolean.'],
    [
      batchBody,
      { tasks: [{}], batch_id: '../x' },
      'batch_id must be 1 to 128 letters, digits, dots, underscores or hyphens.',
    ],
    [chatBody, { message: 'a', timeout: 601 }, 'timeout must be a number of seconds above 0 and at most 600.'],
    [chatBody, { message: 'a', timeout: '5' }, 'timeout must be a number.'],
    [chatQuery, { message: 'a', timeout: '1.2.3' }, 'timeout must be a number of seconds above 0 and at most 600.'],
    [chatQuery, { message: 'a', wait: 'maybe' }, 'wait must be true or false.'],
    [listJobs.query, { limit: '1001' }, 'limit must be a whole number from 1 to 1000.'],
    [listJobs.query, { limit: '' }, 'limit must be a whole number from 1 to 1000.'],
    [listJobs.query, { limit: ['1', '2'] }, 'limit must be given only once.'],
    [listJobs.query, { offset: '-1' }, 'offset must be a whole number from 0 to 1000000000.'],
    [logQuery, { tail: '1.5' }, 'tail must be a whole number from 0 to 1000000.'],
  ] as const) {
    it(`say: ${sentence}`, () => {
      expect(check(schema, value)).to.equal(sentence)
    })
  }

  it('fill in what was left out, and ignore what they do not know', () => {
    expect(listJobs.query.parse({ extra: 'x' })).to.deep.equal({ limit: 50 })
    const asked = chatQuery.parse({ message: 'a', wait: 'FALSE' })
    expect(asked).to.deep.equal({ message: 'a', wait: false, timeout: 30, no_cache: false })
    const submitted = batchBody.parse({ tasks: [{}], batch_id: null })
    expect(submitted).to.deep.equal({ tasks: [{}], wait: false, batch_id: null, no_cache: false })
  })

  it("hand on a user's object as it is, not a copy", () => {
    const inputs = JSON.parse('{"__proto__":{"a":1}}') as object
    expect(promptBody.parse({ prompt_name: 'a', inputs }).inputs).to.equal(inputs)
    expect(batchBody.parse({ tasks: [inputs] }).tasks[0]).to.equal(inputs)
  })
})
