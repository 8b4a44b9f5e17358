import { Problem } from '#shared/problem.ts'
import type { KioskErrorKind } from '#web/kiosk/core/kiosk.ts'
import { troubleOf } from '#web/kiosk/core/trouble.ts'
import type { CaptureQueue } from './capture-queue.ts'
import type { KioskClient } from './kiosk-client.ts'

/** Sends what waits, in order and one at a time. */
export interface Delivery {
  /**
   * Sends now, or goes on with what is being sent; pauses are short again. Resolves when there is nothing more to do at the
   * moment.
   */
  send(): Promise<void>
  stop(): void
}

interface Options {
  readonly queue: CaptureQueue
  readonly client: Pick<KioskClient, 'submit'>
  /** Milliseconds since 1970, corrected. */
  readonly now: () => number
  readonly onTrouble: (kind: KioskErrorKind, code: string | null) => void
  readonly onChange: (change: DeliveryChange) => void
  /** 0...1, for the length of a pause; a test gives its own. */
  readonly random?: () => number
}

/** What changed: whether something is under way, and whether the server answered. */
export interface DeliveryChange {
  readonly sending: boolean
  readonly reached?: boolean
}

const shortestPauseInSeconds = 2
const longestPauseInSeconds = 300

/**
 * Makes the delivery. [Note: Sent until answered] A capture leaves the queue with the server's answer and not before: one whose
 * answer was lost is sent again under the same id, and the server answers it the same.
 */
export function createDelivery(options: Options): Delivery {
  const { queue, client, now, onTrouble, onChange, random = Math.random } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let failures = 0
  let stopped = false

  const pause = () => {
    if (stopped) return
    const seconds = Math.min(longestPauseInSeconds, shortestPauseInSeconds * 2 ** failures++)
    timer = setTimeout(begin, seconds * (0.5 + random() / 2) * 1000)
  }
  /** Whether the next one may be tried. */
  const sendFirst = async (): Promise<boolean> => {
    const capture = await queue.first()
    if (capture === undefined || stopped) return false
    const { captureId, sealed, sequence } = capture
    try {
      await client.submit({ captureId, sealed })
    } catch (error) {
      onChange({ sending: true, reached: error instanceof Problem })
      const { kind, code, fate } = troubleOf(error)
      onTrouble(kind, code)
      if (fate === 'aside') await queue.setAside(sequence, code ?? '')
      if (fate === 'later') pause()
      return fate === 'aside'
    }
    if (stopped) return false
    failures = 0
    await queue.sent(sequence, now())
    onChange({ sending: true, reached: true })
    return true
  }
  const run = async () => {
    clearTimeout(timer)
    onChange({ sending: true })
    try {
      while (await sendFirst());
    } catch {
      pause() // the disk refused, not the server: what was answered is answered the same again
    } finally {
      running = undefined
      onChange({ sending: false })
    }
  }
  const begin = () => {
    running ??= run()
    return running
  }
  return {
    send() {
      failures = 0
      return begin()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
