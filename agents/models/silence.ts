/** How long a provider may be silent, in milliseconds. */
export interface ModelTimeouts {
  /** Until the first sign of an answer. */
  firstChunkMs: number
  /** Between two signs while the model thinks, which some providers show nothing of. */
  reasoningMs: number
  /** Between two signs while the model writes text or the arguments of a call. */
  writingMs: number
  /** For the whole answer, however much of it comes. */
  totalMs: number
}

const DEFAULTS: ModelTimeouts = { firstChunkMs: 120_000, reasoningMs: 600_000, writingMs: 60_000, totalMs: 1_800_000 }

/** The time-outs of a whole answer that may take `totalMs`; a longer one stretches the allowed silences with it. */
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

/** What a provider is doing, as far as its answer tells. */
export type AnswerPhase = 'waiting' | 'reasoning' | 'writing'

/** Watches one answer. */
export interface SilenceWatch {
  /** Aborted when the provider was silent for too long, or when the answer takes too long in all. */
  signal: AbortSignal
  /** Why: undefined while `signal` is not aborted. */
  expired: () => { silent: boolean; afterMs: number } | undefined
  /** Something has come. */
  heard: (phase: AnswerPhase) => void
  stop: () => void
}

/** Begins to watch an answer that was just asked for. */
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
      // The rest of an answer that was given up may still come.
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
