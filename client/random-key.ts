const BYTES = 16

/** A random Idempotency-Key. Does not use `crypto.randomUUID`, which is missing on pages that were not loaded over HTTPS. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
