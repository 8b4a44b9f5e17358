const sessionMinutes = 15
const warningMinutes = 3

/**
 * When the session ends, in milliseconds of this device's clock. A device whose clock is wrong gets the whole
 * quarter of an hour: the server's clock decides anyway.
 */
export function deadlineOf(expirationUtcTime: string, now: number): number {
  const whole = sessionMinutes * 60_000
  const left = Date.parse(expirationUtcTime) - now
  return now + (left > 0 && left <= whole ? left : whole)
}

/** Tells once when three minutes are left, and from the end on again and again; answers how to stop. */
export function watchDeadline(expiresAt: number, onNear: () => void, onOver: () => void): () => void {
  let warned = false
  const timer = setInterval(() => {
    const left = expiresAt - Date.now()
    if (left <= 0) onOver()
    else if (left <= warningMinutes * 60_000 && !warned) {
      warned = true
      onNear()
    }
  }, 1000)
  return () => clearInterval(timer)
}
