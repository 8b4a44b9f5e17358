const lockName = 'selfsame-kiosk'

/** Waits for the origin's lock, which a window holds until it closes. Calls `onWaiting` if another window holds it. */
export function takeWindowLock(onWaiting: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve()
      return new Promise<void>(() => {})
    }
    navigator.locks
      .request(lockName, { ifAvailable: true }, (lock) => {
        if (lock !== null) return hold()
        onWaiting()
        navigator.locks.request(lockName, hold).catch(reject)
      })
      .catch(reject)
  })
}
