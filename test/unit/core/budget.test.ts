import { expect } from 'chai'
import {
  amountText,
  budget,
  isHeldByOthers,
  keptForAnswer,
  lacking,
  limitsOf,
  NOTHING,
  sizeCall,
  spentShare,
  timePiece,
  type Amounts,
  type BudgetState,
} from '../../../core/budget.ts'

const state = (
  limits: Partial<Amounts>,
  spent: Partial<Amounts> = {},
  reserved: Partial<Amounts> = {},
): BudgetState => ({
  limits,
  left: Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => {
      const each = name as keyof Amounts
      return [each, limit - (spent[each] ?? 0) - (reserved[each] ?? 0)]
    }),
  ),
  spent: { ...NOTHING, ...spent },
})
const sized = (budgets: BudgetState[], maxOutputTokens?: number, inputTokens = 100) =>
  sizeCall(
    { inputTokens, maxOutputTokens, nanoUsd: (input, output) => input * 10 + output * 40 },
    budgets.map((each) => ({ state: each, kept: {} })),
  )

describe('A budget', () => {
  it('limits what it names, money in billionths', () => {
    expect(limitsOf({ usd: 0.5, modelCalls: 3, warnAt: 0.5 })).to.deep.equal({ nano_usd: 500_000_000, model_calls: 3 })
  })

  it('is of an amount that can be counted', () => {
    const isTaken = (usd: number) => budget.safeParse({ usd }).success
    expect([1e-9, 0.01, 1_000_000].map(isTaken)).to.deep.equal([true, true, true])
    expect([0, -1, 1e-10, 1_000_001, 1e308, Infinity, Number.NaN].filter(isTaken)).to.deep.equal([])
  })

  it('lacks what is spent, what is reserved and what is kept', () => {
    const half = state({ tokens: 100 }, { tokens: 30 }, { tokens: 20 })
    expect(lacking(half, { tokens: 50 }, {})).to.equal(undefined)
    expect(lacking(half, { tokens: 51 }, {})).to.equal('tokens')
    expect(lacking(half, { tokens: 50 }, { tokens: 1 })).to.equal('tokens')
    expect(lacking(half, { nano_usd: 1_000 }, {})).to.equal(undefined)
  })

  it('gives time in pieces: a share of what is left, no less than a second, and never more than what is left', () => {
    const piece = (...budgets: BudgetState[]) => timePiece(budgets.map((each) => ({ state: each, kept: { ms: 10 } })))
    expect(piece(state({ tokens: 10 }))).to.equal(0)
    expect(piece(state({ ms: 80_010 }), state({ tokens: 10 }))).to.equal(10_000)
    expect(piece(state({ ms: 80_010 }), state({ ms: 4_000 }))).to.equal(1_000)
    expect(piece(state({ ms: 9e15 }))).to.equal(3_600_000)
    expect(piece(state({ ms: 500 }))).to.equal(490)
    expect(piece(state({ ms: 500 }, { ms: 600 }))).to.equal(1)
  })

  it('may get back what others have reserved, and nothing that is spent', () => {
    expect(
      isHeldByOthers(state({ tokens: 100 }, { tokens: 30 }, { tokens: 60 }), 'tokens', { tokens: 50 }, {}),
    ).to.equal(true)
    expect(isHeldByOthers(state({ tokens: 100 }, { tokens: 60 }), 'tokens', { tokens: 50 }, {})).to.equal(false)
  })

  it('keeps a tenth for one last answer, and at least one call', () => {
    expect(keptForAnswer(state({ tokens: 105, model_calls: 3, tool_calls: 9 }))).to.deep.equal({
      tokens: 10,
      model_calls: 1,
      tool_calls: 0,
    })
  })

  it('is spent as far as the limit that is nearest', () => {
    expect(spentShare(state({ tokens: 100, model_calls: 4 }, { tokens: 10, model_calls: 3 }))).to.equal(0.75)
  })

  it('is said in words', () => {
    expect(amountText('nano_usd', 1_500_000)).to.equal('$0.0015')
    expect(amountText('tool_calls', 3)).to.equal('3 tool calls')
    expect(amountText('model_calls', 1)).to.equal('1 model call')
  })
})

describe('The size of a call', () => {
  it('is what its agent allows, while that is left', () => {
    expect(sized([state({ tokens: 10_000 })], 500)).to.deep.include({ outputTokens: 500 })
    expect(sized([state({ tokens: 10_000 })], 500).amounts).to.include({
      tokens: 600,
      nano_usd: 21_000,
      model_calls: 1,
    })
  })

  it('is what the tightest budget leaves', () => {
    const money = state({ nano_usd: 5_000 })
    expect(sized([state({ tokens: 10_000 }), money], 500).outputTokens).to.equal(100)
    expect(sized([state({ tokens: 300 }), money], 500).outputTokens).to.equal(100)
    expect(sized([state({ tokens: 150 }), money], 500).outputTokens).to.equal(50)
  })

  it('is no more than most models can write where its agent sets none, so that none refuses it, and others can go on beside it', () => {
    expect(sized([state({ nano_usd: 1e15 })]).outputTokens).to.equal(16_384)
    expect(sized([state({ tokens: 20_100 })]).outputTokens).to.equal(16_384)
    expect(sized([state({ tokens: 1_100 })]).outputTokens).to.equal(1_000)
    expect(sized([state({ nano_usd: 1e15 })], 100_000).outputTokens).to.equal(100_000)
  })

  it('is never so small that the call would be for nothing: it is refused instead', () => {
    const small = state({ tokens: 110 })
    const { outputTokens, amounts } = sized([small], 500)
    expect(outputTokens).to.equal(16)
    expect(lacking(small, amounts, {})).to.equal('tokens')
  })

  it('is not limited by a budget in dollars if output is free; the cost of the prompt is reserved', () => {
    const free = (budgets: BudgetState[], nanoUsd: (input: number, output: number) => number) =>
      sizeCall(
        { inputTokens: 100, maxOutputTokens: undefined, nanoUsd },
        budgets.map((each) => ({ state: each, kept: {} })),
      )
    expect(free([state({ nano_usd: 1_000 })], () => 0)).to.include({ outputTokens: undefined })
    const { outputTokens, amounts } = free([state({ nano_usd: 1_000 })], (input) => input * 10)
    expect(outputTokens).to.equal(undefined)
    expect(amounts.nano_usd).to.equal(1_000)
  })

  it('does not matter to a budget of calls', () => {
    expect(sized([state({ model_calls: 5 })])).to.include({ outputTokens: undefined })
  })
})
