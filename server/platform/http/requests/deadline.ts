/** A time limit for some work. */
export interface Deadline {
  /** Aborts when the time is up or the given signal aborts, but never after `end`. */
  readonly signal: AbortSignal
  /** Removes the timer and the listener. */
  end(): void
}

/**
 * [Note: A deadline is held] `AbortSignal.timeout` and `AbortSignal.any` reference their sources weakly, so they can be
 * garbage collected while work waits for them, and then never abort. A timer and a listener keep this controller alive
 * instead.
 */
export function startDeadline(milliseconds: number, hangUp?: AbortSignal): Deadline {
  const controller = new AbortController()
  const leave = () => controller.abort(hangUp?.reason)
  const timer = setTimeout(() => controller.abort(timeOut()), milliseconds)
  if (hangUp?.aborted === true) leave()
  hangUp?.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      hangUp?.removeEventListener('abort', leave)
    },
  }
}

function timeOut(): Error {
  return new DOMException('The operation took too long', 'TimeoutError')
}
