import type { SessionOutcome, SessionRecord } from '#server/features/sessions/record.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type Read } from '#server/platform/store/tables.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { Commit, KioskReports } from './kiosk-reports.ts'

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
  readonly capture: Read<CaptureRecord> | undefined
  /** The capture that used the sequence. */
  readonly sequence: Read<string> | undefined
  /** The capture that used the plan. */
  readonly plan: Read<string> | undefined
}

/** Which captures of a kiosk arrived, which sequences they had, and which plans they used up. */
export interface CaptureStore {
  read(kioskId: string, captureId: string): Promise<Read<CaptureRecord> | undefined>
  before(uses: Uses): Promise<Before>
  /**
   * For a commit that takes a capture for the first time, or anew where its session was lost: it fails where the
   * capture, its sequence or its plan was taken since.
   */
  claim(capture: CaptureRecord, uses: Uses, before: Before): { writes: Write[]; guards: Guard[] }
  /** Leaves no capture, so that it could be sent again; its sequence and its plan stay used. `also` is committed with it. */
  drop(capture: CaptureRecord, also: readonly Write[]): Promise<void>
  /** Ends a session with `commit`: of a kiosk's, the same commit answers the capture and counts it. */
  answer(ended: SessionRecord, commit: Commit): Promise<boolean>
}

const keptInSeconds = kioskLimits.answerInDays * 24 * 3600

export function createCaptureStore(store: Store, reports: Pick<KioskReports, 'count'>): CaptureStore {
  const captures = createTable<CaptureRecord>(store, 'kiosk-capture')
  const sequences = createTable<string>(store, 'kiosk-sequence')
  const plans = createTable<string>(store, 'kiosk-plan')

  const writeOf = (capture: CaptureRecord) =>
    captures.write(capture.kioskId, capture.captureId, capture, keptInSeconds)

  return {
    read: (kioskId, captureId) => captures.read(kioskId, captureId),
    before: async ({ kioskId, captureId, sequence, planId }) => ({
      capture: await captures.read(kioskId, captureId),
      sequence: await sequences.read(kioskId, String(sequence)),
      plan: planId === null ? undefined : await plans.read(kioskId, planId),
    }),
    claim(capture, { kioskId, captureId, sequence, planId }, before) {
      const used = [
        { table: sequences, id: String(sequence), by: before.sequence },
        ...(planId === null ? [] : [{ table: plans, id: planId, by: before.plan }]),
      ]
      return {
        writes: [
          writeOf(capture),
          ...used.map(({ table, id }) => table.write(kioskId, id, captureId, keptInSeconds)),
        ],
        guards: [
          before.capture?.guard ?? captures.absent(kioskId, captureId),
          ...used.map(({ table, id, by }) => by?.guard ?? table.absent(kioskId, id)),
        ],
      }
    },
    async drop({ kioskId, captureId }, also) {
      await store.commit([...also, captures.write(kioskId, captureId, undefined)], [])
    },
    async answer({ kiosk, outcome }, commit) {
      const capture = kiosk && (await captures.get(kiosk.kioskId, kiosk.captureId))
      if (capture === undefined || outcome === null) return commit([], [])
      const answered = writeOf({ ...capture, answer: answerOf(outcome) })
      return reports.count(capture.kioskId, (counting, asRead) => commit([answered, ...counting], asRead))
    },
  }
}

/** What a kiosk is told of the session of its capture. */
export function answerOf({ result }: SessionOutcome): NonNullable<CaptureRecord['answer']> {
  return { verificationResult: result.verificationResult, differs: result.kiosk?.differs ?? false }
}
