/** Settles like the work, or rejects with the signal's reason as soon as the client disconnects. Removes its listener. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const leave = () => fail(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener('abort', leave))
  })
}
