const GROWTH = Math.log(1.1)

/** The bucket of a latency. Each bucket is 10 % wider than the previous one. */
export function latencyBucket(latencyMs: number): number {
  return Math.floor(Math.log(Math.max(0, latencyMs) + 1) / GROWTH)
}

/** A representative latency of a bucket; at most 5 % off. */
function bucketLatency(bucket: number): number {
  return Math.exp((bucket + 0.5) * GROWTH) - 1
}

/**
 * A percentile of the counted latencies, in milliseconds.
 * @param counts - counts by bucket.
 * @param share - 0.5 for the median.
 * @returns null if nothing was counted.
 */
export function latencyPercentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(total * share))
  let seen = 0
  for (const [bucket, count] of [...counts].sort(([one], [other]) => one - other)) {
    seen += count
    if (seen >= rank) return Math.round(bucketLatency(bucket))
  }
  return null
}
