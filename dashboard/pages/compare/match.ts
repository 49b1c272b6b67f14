/** One or both sides of what stands together; undefined where only the other side has it. */
export interface Matched<Item> {
  left: Item | undefined
  right: Item | undefined
}

type Same<Item> = (one: Item, other: Item) => boolean

/** Above so many pairs items are matched by their order alone: the best match would take too long to find. */
const MAX_PAIRS = 1_000_000

/** Two sequences beside each other: as much as can be of what is the same, in order, stands together. */
export function match<Item>(left: Item[], right: Item[], same: Same<Item>): Matched<Item>[] {
  const shorter = Math.min(left.length, right.length)
  let begin = 0
  while (begin < shorter && same(left[begin] as Item, right[begin] as Item)) begin += 1
  let end = 0
  while (end < shorter - begin && same(left.at(-1 - end) as Item, right.at(-1 - end) as Item)) end += 1
  const middle = between(left.slice(begin, left.length - end), right.slice(begin, right.length - end), same)
  const together = (from: number, to: number, shift: number): Matched<Item>[] =>
    left.slice(from, to).map((item, index) => ({ left: item, right: right[from + index + shift] }))
  const shift = right.length - left.length
  return [...together(0, begin, 0), ...middle, ...together(left.length - end, left.length, shift)]
}

function between<Item>(ones: Item[], others: Item[], same: Same<Item>): Matched<Item>[] {
  const places = ones.length * others.length > MAX_PAIRS ? inOrder(ones, others, same) : longest(ones, others, same)
  const matched: Matched<Item>[] = []
  let [at, otherAt] = [0, 0]
  for (const [one, other] of [...places, [ones.length, others.length] as const]) {
    for (; at < one; at += 1) matched.push({ left: ones[at], right: undefined })
    for (; otherAt < other; otherAt += 1) matched.push({ left: undefined, right: others[otherAt] })
    if (one < ones.length) matched.push({ left: ones[at++], right: others[otherAt++] })
  }
  return matched
}

/** Places of the longest common subsequence. */
function longest<Item>(ones: Item[], others: Item[], same: Same<Item>): [number, number][] {
  const width = others.length + 1
  const lengths = new Uint32Array((ones.length + 1) * width)
  for (let one = ones.length - 1; one >= 0; one -= 1) {
    for (let other = others.length - 1; other >= 0; other -= 1) {
      lengths[one * width + other] = same(ones[one] as Item, others[other] as Item)
        ? (lengths[(one + 1) * width + other + 1] as number) + 1
        : Math.max(lengths[(one + 1) * width + other] as number, lengths[one * width + other + 1] as number)
    }
  }
  const found: [number, number][] = []
  for (let one = 0, other = 0; one < ones.length && other < others.length;) {
    if (same(ones[one] as Item, others[other] as Item)) found.push([one++, other++])
    else if ((lengths[(one + 1) * width + other] as number) >= (lengths[one * width + other + 1] as number)) one += 1
    else other += 1
  }
  return found
}

/** Places of what is the same at the same place. */
function inOrder<Item>(ones: Item[], others: Item[], same: Same<Item>): [number, number][] {
  const count = Math.min(ones.length, others.length)
  return Array.from({ length: count }, (_, at): [number, number] => [at, at]).filter(([at]) =>
    same(ones[at] as Item, others[at] as Item),
  )
}
