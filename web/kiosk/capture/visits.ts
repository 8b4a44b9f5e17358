import { signal } from '@preact/signals'
import type { KioskVisit, VisitOutcome } from '#web/kiosk/core/kiosk.ts'
import { timeOfCapture } from '#web/kiosk/core/kiosk-clock.ts'
import type { KioskParts } from '#web/kiosk/core/kiosk-parts.ts'
import type { Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { sealCapture } from '#web/kiosk/delivery/sealing.ts'
import { createKioskSide } from './kiosk-side.ts'
import { createSpotAnalysis } from './spot-analysis.ts'
import { captureOf, type TakenCapture } from './taken-capture.ts'

/** Begins a person's turn. `onKept` is called when a capture is on the disk. */
export function beginVisit(parts: KioskParts, pairing: Pairing, onKept: () => void): KioskVisit {
  const { facts, hosts, plans, note } = parts
  const { configuration } = pairing
  const outcome = signal<VisitOutcome | null>(null)
  let isOver = false
  let drop = () => {}

  const onOutcome = (found: VisitOutcome) => {
    if (found.kind === 'kept') onKept()
    if (found.kind === 'notKept' && found.cause === 'full') {
      facts.refusedWrite.value = true
      note('storageFull')
    }
    if (!isOver) outcome.value = found
  }
  const plan = configuration.capturePlan
  const capturePlan = facts.unusedPlans.value === 0 ? { ...plan, challenge: null } : plan
  const analysis = createSpotAnalysis(hosts, configuration)
  const keep = (taken: TakenCapture) => keepCapture(parts, pairing, taken)

  return {
    seams: {
      hosts,
      side(options) {
        const side = createKioskSide(
          { configuration, capturePlan, plans, analysis, keep, onOutcome },
          options,
        )
        drop = side.drop
        return side
      },
    },
    outcome,
    end() {
      isOver = true
      drop()
    },
  }
}

/**
 * Seals a capture and keeps it. [Note: Acknowledged when it is on the disk] This resolves with the strict transaction that holds
 * the capture and its place in the order; before that nobody is told that all is done.
 */
async function keepCapture(parts: KioskParts, pairing: Pairing, taken: TakenCapture): Promise<void> {
  const { clock, queue, store } = parts
  const { privateKey } = (await store.deviceKey())!
  const { sequence, lastWaiting } = await queue.next()
  const capturedAt = timeOfCapture(clock.now(), lastWaiting)
  const captureId = crypto.randomUUID()
  const { kioskId, sealingKey } = pairing
  const meta = { captureId, kioskId, sequence, capturedAt, clockOffsetInMilliseconds: clock.offset() }
  const sealed = await sealCapture(captureOf(taken, meta), privateKey, sealingKey)
  await queue.keep({ sequence, captureId, sealed, capturedAt })
}
