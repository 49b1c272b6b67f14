const circle: Record<string, unknown> = {}
circle.circle = circle

/** Values that stand for no JSON, by name. */
export const NO_JSON: Record<string, unknown> = {
  symbol: Symbol('x'),
  function: () => 'x',
  bigint: 1n,
  circle,
  void: { toJSON: () => undefined },
}
