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
