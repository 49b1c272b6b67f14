/** A difference with its sign. */
export function signed(difference: number, format: (value: number) => string): string {
  if (difference === 0) return '±0'
  return `${difference > 0 ? '+' : '−'}${format(Math.abs(difference))}`
}
