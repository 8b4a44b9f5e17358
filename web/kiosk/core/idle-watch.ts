import type { Patience } from './idleness.ts'

const lookMilliseconds = 500

interface IdleWatchOptions {
  /** How long the screen of the moment may be left alone. */
  readonly patience: () => Patience | null
  /** Whether somebody is there without touching anything. */
  readonly isAttended: () => boolean
  readonly onIdle: () => void
}

/** Notices that nobody is there any more. Answers what begins the wait anew, as a new screen does. */
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
