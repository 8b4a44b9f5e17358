/** A signal for one request. It aborts when the browser goes offline or after a timeout. Call `over` after the answer. */
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

/** Bytes a millisecond: on a slower network nothing gets through. */
const slowest = 8

/** Milliseconds that a slow network may need for a body: a request that is cut off starts over. */
export function allowanceFor(body: string | undefined): number {
  return (body?.length ?? 0) / slowest
}
