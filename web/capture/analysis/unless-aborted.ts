/**
 * An answer, or the signal's reason where it comes first. Leaves nothing behind: a race with a promise that never settles would keep
 * every answer, which on a kiosk are some of each second for months.
 */
export function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const leave = () => fail(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    answer.then(done, fail).finally(() => signal.removeEventListener('abort', leave))
  })
}
