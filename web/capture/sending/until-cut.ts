/** The time limit of one request. */
interface Cut {
  readonly signal: AbortSignal
  /** Starts the time limit again. */
  extend(milliseconds: number): void
  /** Call this after the answer. */
  over(): void
}

/** Creates a signal for one request. It aborts when the browser goes offline or after a timeout. */
export function untilCut(milliseconds: number): Cut {
  const controller = new AbortController()
  const cut = () => controller.abort()
  let timer = setTimeout(cut, milliseconds)
  addEventListener('offline', cut)
  return {
    signal: controller.signal,
    extend(more) {
      clearTimeout(timer)
      timer = setTimeout(cut, more)
    },
    over() {
      clearTimeout(timer)
      removeEventListener('offline', cut)
    },
  }
}

/** In bytes per millisecond. On a slower network, uploads are hopeless anyway. */
const slowest = 8

/** How many extra milliseconds a slow network gets to send a body, because an aborted request would have to start over. */
export function allowanceFor(body: string | Uint8Array | undefined): number {
  return (body?.length ?? 0) / slowest
}
