/** A signal for one request: it fires when the browser loses its network, or after so long. `over` when it was answered. */
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
