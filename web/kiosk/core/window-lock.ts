const lockName = 'selfsame-kiosk'

/** Waits for the lock of the origin. `onWaiting` is called when another window has it. Answers how to let go of it. */
export async function takeWindowLock(onWaiting: () => void): Promise<() => void> {
  const held = (await request({ ifAvailable: true })) ?? undefined
  if (held !== undefined) return held
  onWaiting()
  return (await request({}))!
}

/** The lock is held until what is answered is called; null where it is not to be had at once. */
function request(options: LockOptions): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(lockName, options, (lock) => {
        if (lock === null) return resolve(null)
        return new Promise<void>((release) => resolve(release))
      })
      .catch(reject)
  })
}
