import type { SessionRecord } from '#server/features/sessions/sessions.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { KioskReports } from './kiosk-reports.ts'

/** What is kept of a capture: nothing that it showed. */
export interface CaptureRecord {
  readonly captureId: string
  readonly kioskId: string
  /** Of what was sent: sent again it is the very same. */
  readonly digest: string
  readonly sessionId: string
  /** False where there was no plan, or none that counts. */
  readonly hasPlan: boolean
  /** Null until the server has decided. */
  readonly answer: { readonly verificationResult: 'Pass' | 'Fail'; readonly differs: boolean } | null
}

/** What a capture uses up. */
export interface Uses {
  readonly kioskId: string
  readonly captureId: string
  readonly sequence: number
  /** Null where there is no plan that counts. */
  readonly planId: string | null
}

/** What was known of a capture when it came: undefined where nothing was. */
export interface Before {
  readonly capture: CaptureRecord | undefined
  /** The capture that used the sequence. */
  readonly sequence: string | undefined
  /** The capture that used the plan. */
  readonly plan: string | undefined
}

/** Which captures of a kiosk arrived, which sequences they had, and which plans they used up. */
export interface CaptureStore {
  get(kioskId: string, captureId: string): Promise<CaptureRecord | undefined>
  /** The commit fails where the capture, its sequence or its plan is taken since. */
  before(transaction: Transaction, uses: Uses): Promise<Before>
  /** Takes a capture for the first time, or anew where its session was lost. */
  claim(transaction: Transaction, capture: CaptureRecord, uses: Uses): void
  /** Leaves no capture, so that it could be sent again; its sequence and its plan stay used. `also` is committed with it. */
  drop(capture: CaptureRecord, also: readonly Write[]): Promise<void>
  /** Answers the capture of a session that ends, where there is one still, and counts it. */
  answer(transaction: Transaction, ended: SessionRecord): Promise<void>
}

const keptInSeconds = kioskLimits.answerInDays * 24 * 3600

export function createCaptureStore(store: Store, reports: Pick<KioskReports, 'count'>): CaptureStore {
  const captures = createTable<CaptureRecord>(store, 'kiosk-capture')
  const sequences = createTable<string>(store, 'kiosk-sequence')
  const plans = createTable<string>(store, 'kiosk-plan')

  return {
    get: (kioskId, captureId) => captures.get(kioskId, captureId),
    before: async (transaction, { kioskId, captureId, sequence, planId }) => ({
      capture: await transaction.read(captures, kioskId, captureId),
      sequence: await transaction.read(sequences, kioskId, String(sequence)),
      plan: planId === null ? undefined : await transaction.read(plans, kioskId, planId),
    }),
    claim(transaction, capture, { kioskId, captureId, sequence, planId }) {
      transaction.put(captures, kioskId, captureId, capture, keptInSeconds)
      transaction.put(sequences, kioskId, String(sequence), captureId, keptInSeconds)
      if (planId !== null) transaction.put(plans, kioskId, planId, captureId, keptInSeconds)
    },
    async drop({ kioskId, captureId }, also) {
      await store.commit([...also, captures.write(kioskId, captureId, undefined)], [])
    },
    async answer(transaction, { kiosk, outcome }) {
      if (kiosk === undefined || outcome === null) return
      const { kioskId, captureId } = kiosk
      const capture = await transaction.read(captures, kioskId, captureId)
      if (capture === undefined) return
      transaction.put(captures, kioskId, captureId, { ...capture, answer: answerOf(outcome) }, keptInSeconds)
      await reports.count(transaction, kioskId)
    },
  }
}

/** What a kiosk learns of the session of its capture. */
export function answerOf({
  result,
}: NonNullable<SessionRecord['outcome']>): NonNullable<CaptureRecord['answer']> {
  return { verificationResult: result.verificationResult, differs: result.kiosk?.differs ?? false }
}
