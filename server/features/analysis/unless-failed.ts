/**
 * Returns a function that awaits work unless a worker fails first. The worker may never fail.
 * [Note: A race keeps what it brought] `Promise.race` with a promise that never settles attaches its result to that promise,
 * so each of a thread's answers would stay in memory for as long as the thread lives.
 */
export function createUnlessFailed(failed: Promise<Error>): <T>(work: Promise<T>) => Promise<T> {
  const waiting = new Set<(error: Error) => void>()
  let failure: Error | undefined
  void failed.then((error) => {
    failure = error
    for (const fail of waiting) fail(error)
  })
  return <T>(work: Promise<T>) =>
    new Promise<T>((done, fail) => {
      if (failure !== undefined) fail(failure)
      waiting.add(fail)
      work.then(done, fail).finally(() => waiting.delete(fail))
    })
}
