/** Time limits of a response in ms. */
export interface ModelTimeouts {
  /** Until the first part of the response. */
  firstChunkMs: number
  /** Between two parts while the model thinks; some providers send nothing in this phase. */
  reasoningMs: number
  /** Between two parts while the model writes text or the arguments of a call. */
  writingMs: number
  /** For the whole response. */
  totalMs: number
}

const DEFAULTS: ModelTimeouts = { firstChunkMs: 120_000, reasoningMs: 600_000, writingMs: 60_000, totalMs: 1_800_000 }

/**
 * Returns the time limits for a response that may take `totalMs`. A longer total extends the idle limits in proportion.
 */
export function modelTimeouts(totalMs: number = DEFAULTS.totalMs): ModelTimeouts {
  const stretch = Math.max(1, totalMs / DEFAULTS.totalMs)
  const silence = (ms: number) => Math.min(Math.round(ms * stretch), totalMs)
  return {
    firstChunkMs: silence(DEFAULTS.firstChunkMs),
    reasoningMs: silence(DEFAULTS.reasoningMs),
    writingMs: silence(DEFAULTS.writingMs),
    totalMs,
  }
}

/** The provider's activity, as far as its response shows. */
export type AnswerPhase = 'waiting' | 'reasoning' | 'writing'

/** Watches one response for time-outs. */
export interface SilenceWatch {
  /** Aborted when the provider is silent for too long or the whole response takes too long. */
  signal: AbortSignal
  /** The expired limit; undefined while `signal` is not aborted. */
  expired: () => { silent: boolean; afterMs: number } | undefined
  /** Reports an arrived part. */
  heard: (phase: AnswerPhase) => void
  stop: () => void
}

/** Starts to watch a response just after its request. */
export function watchSilence(timeouts: ModelTimeouts): SilenceWatch {
  const controller = new AbortController()
  const limits = { waiting: timeouts.firstChunkMs, reasoning: timeouts.reasoningMs, writing: timeouts.writingMs }
  let expired: { silent: boolean; afterMs: number } | undefined
  let phase: AnswerPhase = 'waiting'
  let silence: NodeJS.Timeout
  let stopped = false
  const expire = (silent: boolean, afterMs: number) => {
    expired ??= { silent, afterMs }
    controller.abort()
  }
  const listen = () => {
    silence = setTimeout(() => expire(true, limits[phase]), limits[phase])
  }
  const total = setTimeout(() => expire(phase === 'waiting', timeouts.totalMs), timeouts.totalMs)
  listen()
  return {
    signal: controller.signal,
    expired: () => expired,
    heard: (now) => {
      // Later parts of an abandoned response can still arrive.
      if (stopped) return
      if (now === phase) return void silence.refresh()
      phase = now
      clearTimeout(silence)
      listen()
    },
    stop: () => {
      stopped = true
      clearTimeout(silence)
      clearTimeout(total)
    },
  }
}
