/**
 * Makes what waits for work until somebody has failed who may never do so. [Note: A race keeps what it brought] `Promise.race` with a
 * promise that never settles hangs its result on that promise: each answer of a thread would stay as long as the thread.
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
