import type { Demand } from '../../core/provider-account.ts'

/** Outcomes of calls since the last report to the account, in this process's time. */
export type CallReports = Pick<Demand, 'served' | 'pushback' | 'tokensMore'>

/** An empty report. */
export function noReports(): CallReports {
  return { served: { count: 0, begunAt: 0 }, pushback: undefined, tokensMore: 0 }
}

/** Merges two reports. */
export function merged(a: CallReports, b: CallReports): CallReports {
  const [latest, other] = (b.pushback?.begunAt ?? 0) >= (a.pushback?.begunAt ?? 0) ? [b, a] : [a, b]
  const until = Math.max(a.pushback?.until ?? 0, b.pushback?.until ?? 0)
  return {
    served: { count: a.served.count + b.served.count, begunAt: Math.max(a.served.begunAt, b.served.begunAt) },
    pushback: latest.pushback && {
      ...latest.pushback,
      count: latest.pushback.count + (other.pushback?.count ?? 0),
      isLimit: latest.pushback.isLimit || other.pushback?.isLimit === true,
      until: until === 0 ? undefined : until,
    },
    tokensMore: a.tokensMore + b.tokensMore,
  }
}

/** Converts a report to a clock that is ahead of this process's clock. */
export function onClock({ served, pushback, tokensMore }: CallReports, aheadMs: number): CallReports {
  return {
    served: { ...served, begunAt: served.begunAt + aheadMs },
    pushback: pushback && {
      ...pushback,
      begunAt: pushback.begunAt + aheadMs,
      until: pushback.until === undefined ? undefined : pushback.until + aheadMs,
    },
    tokensMore,
  }
}
