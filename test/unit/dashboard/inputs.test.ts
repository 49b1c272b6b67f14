import { durationText } from '../../../client/index.ts'
import { expect } from 'chai'
import { completions, filterText, parseFilter } from '../../../dashboard/pages/executions/filter-grammar.ts'
import { mapRow } from '../../../dashboard/pages/new-batch/mapping.ts'
import { compactJson, fieldsOf, parseInputs, withField } from '../../../dashboard/pages/playground/inputs.ts'
import { formatTime } from '../../../dashboard/parts/format.ts'

describe('The filter of the executions', () => {
  it('is read from words, and written the same', () => {
    const text = 'status:failed agent:researcher batch:b-1 since:1h'
    const parsed = parseFilter(text)
    expect(parsed).to.deep.equal({ filter: { status: 'failed', agent: 'researcher', batch_id: 'b-1', since: '1h' } })
    expect('filter' in parsed && filterText(parsed.filter)).to.equal(text)
  })

  it('ignores nothing in silence', () => {
    for (const text of ['failed', 'state:failed', 'status:broken', 'agent:', 'constructor:x']) {
      expect(parseFilter(text), text).to.have.property('problem')
    }
  })

  it('says how a value that was typed alone is written', () => {
    expect(parseFilter('writer')).to.have.property('problem').that.includes('such as agent:writer.')
    expect(parseFilter('failed')).to.have.property('problem').that.includes('such as status:failed.')
  })

  it('completes words and values', () => {
    expect(completions('sta', [])).to.deep.equal(['status:'])
    expect(completions('kind:task agent:re', ['researcher', 'writer'])).to.deep.equal(['kind:task agent:researcher'])
  })
})

describe('The columns of a file', () => {
  it('become fields, or say what is wrong with a cell', () => {
    const column = { source: 'a', field: 'count', type: 'number' } as const
    expect(mapRow({ a: '3' }, [column])).to.deep.equal({ inputs: { count: 3 } })
    expect(mapRow({ a: '' }, [column])).to.deep.equal({ inputs: { count: null } })
    expect(mapRow({ a: 'x' }, [column]))
      .to.have.property('problem')
      .that.includes('a is no number')
  })
})

describe('Inputs as fields', () => {
  it('keep what is text as text', () => {
    const json = '{"text":"12","number":12,"list":[1],"quoted":"\\"a\\""}'
    const fields = fieldsOf(json) ?? []
    expect(JSON.parse(withField(fields, 9, undefined))).to.deep.equal(JSON.parse(json))
  })

  it('keep every digit, and names that objects treat in a special way', () => {
    const json = '{"id":9007199254740993,"__proto__":12345678901234567890,"deep":{"n":0.12345678901234567890},"at":1.0}'
    const fields = fieldsOf(json) ?? []
    expect(fields[0]).to.deep.equal(['id', '9007199254740993'])
    expect(compactJson(withField(fields, 9, undefined))).to.equal(json.replace('1.0', '1'))
    const changed = withField(fields, 0, ['id', '18446744073709551615'])
    expect(changed).to.include('"id": 18446744073709551615')
  })

  it('name the place of an error', () => {
    expect(parseInputs('{"a": 1,\n "b" 2}')).to.have.property('problem').that.includes('line 2')
    expect(parseInputs('[1]')).to.have.property('problem')
  })
})

describe('Times and durations', () => {
  it('are the same everywhere, in UTC and across a change of the clocks', () => {
    expect(formatTime('2026-03-29T01:30:00.123Z', 'utc')).to.equal('2026-03-29 01:30:00.123Z')
    expect([0, 999, 1_500, 61_000, 3_600_000, 90_000_000].map(durationText)).to.deep.equal([
      '0 ms',
      '999 ms',
      '1.50 s',
      '1 min 1 s',
      '1 h 0 min',
      '1 d 1 h',
    ])
    expect([999.7, 9_996, 59_960, 3_599_600].map(durationText)).to.deep.equal([
      '1.00 s',
      '10.0 s',
      '1 min 0 s',
      '1 h 0 min',
    ])
  })
})
