import type { SessionRecord } from '#server/features/sessions/sessions.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { KioskReports } from './kiosk-reports.ts'

/** The facts stored about a capture, excluding everything it showed. */
export interface CaptureRecord {
  readonly captureId: string
  readonly kioskId: string
  /** A digest of the bytes sent, which recognises a repeat. */
  readonly digest: string
  readonly sessionId: string
  /** False if there was no valid plan. */
  readonly hasPlan: boolean
  /** Null until the server has decided. */
  readonly answer: { readonly verificationResult: 'Pass' | 'Fail'; readonly differs: boolean } | null
}

/** The sequence and plan that a capture uses up. */
export interface Uses {
  readonly kioskId: string
  readonly captureId: string
  readonly sequence: number
  /** Null if there is no valid plan. */
  readonly planId: string | null
}

/** Facts known before a capture arrived; undefined if there were none. */
export interface EarlierCaptures {
  readonly capture: CaptureRecord | undefined
  /** The capture that used the sequence. */
  readonly sequence: string | undefined
  /** The capture that used the plan. */
  readonly plan: string | undefined
}

/** The captures that arrived from a kiosk, their sequences, and the plans they used. */
export interface CaptureStore {
  get(kioskId: string, captureId: string): Promise<CaptureRecord | undefined>
  /** The commit fails if another request has since claimed the capture, its sequence or its plan. */
  before(transaction: Transaction, uses: Uses): Promise<EarlierCaptures>
  /** Claims a capture for the first time, or again if its session was lost. */
  claim(transaction: Transaction, capture: CaptureRecord, uses: Uses): void
  /** Removes a capture so that it can be sent again. Its sequence and its plan remain used. `also` is committed with it. */
  drop(capture: CaptureRecord, also: readonly Write[]): Promise<void>
  /** Records the answer to an ending session's capture, if the capture still exists, and counts it. */
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

/** The answer that a kiosk gets about its capture's session. */
export function answerOf({
  result,
}: NonNullable<SessionRecord['outcome']>): NonNullable<CaptureRecord['answer']> {
  return { verificationResult: result.verificationResult, differs: result.kiosk?.differs ?? false }
}
