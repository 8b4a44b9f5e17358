import { signal } from '@preact/signals'
import type { AnalysisHosts } from '#web/capture/analysis/analysis-host.ts'
import type { KioskVisit, VisitOutcome } from '#web/kiosk/core/kiosk.ts'
import { type KioskClock, timeOfCapture } from '#web/kiosk/core/kiosk-clock.ts'
import type { KioskFacts, NoteError } from '#web/kiosk/core/kiosk-facts.ts'
import type { KioskStore, Pairing } from '#web/kiosk/core/kiosk-store.ts'
import type { CaptureQueue } from '#web/kiosk/delivery/capture-queue.ts'
import { sealCapture } from '#web/kiosk/delivery/sealing.ts'
import type { KioskPlans } from './kiosk-plans.ts'
import { createKioskSide } from './kiosk-side.ts'
import { createOfflineAnalysis } from './offline-analysis.ts'
import { captureOf, type TakenCapture } from './taken-capture.ts'

interface Options {
  readonly facts: KioskFacts
  readonly hosts: AnalysisHosts
  readonly store: KioskStore
  readonly clock: KioskClock
  readonly queue: Pick<CaptureQueue, 'next' | 'keep'>
  readonly plans: Pick<KioskPlans, 'reserve'>
  readonly note: NoteError
  /** Runs when a capture has been written to disk. */
  readonly onKept: () => void
}

/** Runs visits one at a time. */
export function createVisits(options: Options) {
  let current: KioskVisit | undefined
  const end = () => {
    current?.end()
    current = undefined
  }
  return {
    begin(pairing: Pairing): KioskVisit {
      const visit = beginVisit(options, pairing)
      current = visit
      return { ...visit, end: () => (current === visit ? end() : undefined) }
    },
    /** Ends the current visit, if there is one. */
    end,
  }
}

function beginVisit(options: Options, pairing: Pairing): KioskVisit {
  const { facts, hosts, plans, note, onKept } = options
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
  const analysis = createOfflineAnalysis(hosts, configuration)
  const keep = (taken: TakenCapture) => keepCapture(options, pairing, taken)

  return {
    seams: {
      hosts,
      side(given) {
        const side = createKioskSide({ configuration, capturePlan, plans, analysis, keep, onOutcome }, given)
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
 * Seals and stores a capture. [Note: Acknowledged when it is on the disk] Resolves once a strict transaction has written
 * the capture and its sequence number. The person does not see an answer before that.
 */
async function keepCapture(
  { clock, queue, store }: Pick<Options, 'clock' | 'queue' | 'store'>,
  { kioskId, sealingKey }: Pairing,
  taken: TakenCapture,
): Promise<void> {
  const { privateKey } = (await store.deviceKey())!
  const { sequence, lastWaiting } = await queue.next()
  const capturedAt = timeOfCapture(clock.now(), lastWaiting)
  const captureId = crypto.randomUUID()
  const meta = { captureId, kioskId, sequence, capturedAt, clockOffsetInMilliseconds: clock.offset() }
  const sealed = await sealCapture(captureOf(taken, meta), privateKey, sealingKey)
  await queue.keep({ sequence, captureId, sealed, capturedAt })
}
