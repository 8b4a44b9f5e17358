import type { Patience } from './idleness.ts'

const lookMilliseconds = 500

interface IdleWatchOptions {
  /** How long the current screen may be idle. */
  readonly patience: () => Patience | null
  /** True if a person is present who does not touch the screen. */
  readonly isAttended: () => boolean
  readonly onIdle: () => void
}

/** Detects that the person has left. Returns a function that restarts the timer, for example for a new screen. */
export function watchIdleness({ patience, isAttended, onIdle }: IdleWatchOptions): () => void {
  let touchedAt = performance.now()
  const renew = () => {
    touchedAt = performance.now()
  }
  const touched = () => {
    if (patience()?.isRenewed) renew()
  }
  document.addEventListener('pointerdown', touched, true)
  document.addEventListener('keydown', touched, true)
  setInterval(() => {
    const borne = patience()
    if (isAttended()) return renew()
    if (borne === null || performance.now() - touchedAt < borne.milliseconds) return
    renew()
    onIdle()
  }, lookMilliseconds)
  return renew
}
