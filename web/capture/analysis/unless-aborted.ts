/**
 * Resolves with the answer, or rejects with the signal's reason if it aborts first. Always removes its listener: racing a promise that
 * never settles would retain every answer, and a kiosk would leak several of them per second for months.
 */
export function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const leave = () => fail(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    answer.then(done, fail).finally(() => signal.removeEventListener('abort', leave))
  })
}
