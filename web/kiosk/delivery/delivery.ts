import { Problem } from '#shared/problem.ts'
import type { KioskErrorKind } from '#web/kiosk/core/kiosk.ts'
import { troubleOf } from '#web/kiosk/core/trouble.ts'
import type { CaptureQueue } from './capture-queue.ts'
import type { KioskClient } from './kiosk-client.ts'

/** Sends captures that are waiting, in order and one at a time. */
export interface Delivery {
  /**
   * Starts or continues sending, and resets the pauses. Resolves when there is nothing left to do for
   * now.
   */
  send(): Promise<void>
  stop(): void
}

interface Options {
  readonly queue: CaptureQueue
  readonly client: Pick<KioskClient, 'submit'>
  /** The corrected time, in milliseconds since 1970. */
  readonly now: () => number
  readonly onTrouble: (kind: KioskErrorKind, code: string | null) => void
  readonly onChange: (change: DeliveryChange) => void
  /** A number from 0 to 1 that determines a pause's length. Tests replace it. */
  readonly random?: () => number
}

/** The state of the delivery, and whether the server answered. */
export interface DeliveryChange {
  readonly sending: boolean
  readonly reached?: boolean
}

const shortestPauseInSeconds = 2
const longestPauseInSeconds = 300

/**
 * Creates the delivery. [Note: Sent until answered] A capture stays in the queue until the server has answered. If the
 * answer is lost, the capture is sent again with the same id, and the server repeats its answer.
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
  /** Resolves to true if the next one may be tried. */
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
      pause() // the disk failed, not the server, and the server will repeat its answer
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
