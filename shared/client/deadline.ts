import { platform, type Signal } from './platform.ts'

/**
 * Runs work with a timeout and an optional signal of the caller. The work is aborted through the signal that it receives and
 * is not awaited after that. [Note: A deadline is held] by its timer and its listener: `AbortSignal.any` holds its sources only
 * weakly, so on Node 20 they may be garbage-collected during the wait.
 */
export async function withinTime<T>(
  milliseconds: number,
  wanted: Signal | undefined,
  work: (signal: Signal) => Promise<T>,
): Promise<T> {
  const controller = new platform.AbortController()
  const leave = () => controller.abort(wanted?.reason)
  const timeOut = () => controller.abort(new platform.DOMException('The call took too long', 'TimeoutError'))
  const timer = platform.setTimeout(timeOut, milliseconds)
  if (wanted?.aborted === true) leave()
  wanted?.addEventListener('abort', leave)
  try {
    return await unlessAborted(work(controller.signal), controller.signal)
  } finally {
    platform.clearTimeout(timer)
    wanted?.removeEventListener('abort', leave)
  }
}

function unlessAborted<T>(work: Promise<T>, signal: Signal): Promise<T> {
  return new Promise((done, fail) => {
    const leave = () => fail(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave)
    work.then(done, fail)
  })
}

/** Waits for the given time, but rejects with the signal's reason as soon as it aborts. */
export function pause(milliseconds: number, wanted: Signal | undefined): Promise<void> {
  return new Promise((over, fail) => {
    const settle = (end: () => void) => {
      platform.clearTimeout(timer)
      wanted?.removeEventListener('abort', leave)
      end()
    }
    const leave = () => settle(() => fail(wanted?.reason))
    const timer = platform.setTimeout(() => settle(over), milliseconds)
    wanted?.addEventListener('abort', leave)
    if (wanted?.aborted === true) leave()
  })
}
