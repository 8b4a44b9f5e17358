/** Creates a signal for one request. It aborts when the browser goes offline or after a timeout. Call `over` after the answer. */
export function untilCut(milliseconds: number): { signal: AbortSignal; over: () => void } {
  const controller = new AbortController()
  const cut = () => controller.abort()
  const timer = setTimeout(cut, milliseconds)
  addEventListener('offline', cut)
  return {
    signal: controller.signal,
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
