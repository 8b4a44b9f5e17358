import { hash } from 'node:crypto'
import type { Audit } from '#server/features/audit/audit.ts'
import type { KioskRecord } from '#server/features/callers/callers.ts'
import { settingsOf } from '#server/features/links/links.ts'
import {
  newRecord,
  prepareStart,
  retentionInMilliseconds,
  type SessionRecord,
  type SessionStore,
} from '#server/features/sessions/sessions.ts'
import type { Events, PreparedEvent } from '#server/features/webhooks/webhooks.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { type Transaction, transact } from '#server/platform/store/transaction.ts'
import type { KioskCapture, KioskPlan } from '#shared/contract/kiosk/kiosk-capture.ts'
import { Problem } from '#shared/problem.ts'
import { refuseRevoked } from './admission.ts'
import { captureRefused, type OpenCapture, type OpenedCapture } from './capture-opening.ts'
import type { CaptureRecord, CaptureStore } from './capture-store.ts'
import type { KioskStore } from './kiosk-store.ts'
import { type Follow, type FollowedVerification, verificationNotFound } from './kiosk-verification.ts'
import type { Plans } from './plans.ts'

/** A capture that has a session. */
export interface TakenCapture extends OpenedCapture {
  readonly record: CaptureRecord
  /** Undefined if the capture does not have a valid plan. */
  readonly plan: KioskPlan | undefined
}

/** Opens a capture and accepts it. From then on, it has a session. @throws {Problem} 400, 403, 404, 409 `sequence_used` */
export type TakeCapture = (captureId: string, sealed: string, kiosk: KioskRecord) => Promise<TakenCapture>

interface CaptureInput {
  readonly opened: OpenedCapture
  /** A digest of the bytes sent. */
  readonly digest: string
  /** The plan, if it is valid. */
  readonly signed: KioskPlan | undefined
  readonly kiosk: KioskRecord
  readonly followed: FollowedVerification
}

interface TakenSession {
  readonly taken: TakenCapture
  /** The event that its session begins; undefined if it began earlier. */
  readonly start?: PreparedEvent
}

interface Dependencies {
  store: Pick<Store, 'commit'>
  follow: Follow
  openCapture: OpenCapture
  kiosks: Pick<KioskStore, 'read'>
  captures: CaptureStore
  sessions: SessionStore
  plans: Plans
  audit: Pick<Audit, 'note'>
  events: Pick<Events, 'prepare'>
  now: Clock
}

/**
 * [Note: Taken in one commit] Capture, sequence, plan and session are written together or not at all. Whatever happens next,
 * sending the same capture again finds its session and continues.
 */
export function createTakeCapture(services: Dependencies): TakeCapture {
  const { store, follow, openCapture, kiosks, captures, sessions, plans, audit, events, now } = services

  /** [Note: Revoked at once] This also applies while the body is being sent, or while waiting for another process. */
  async function holdPaired(transaction: Transaction, { accountId, kioskId }: KioskRecord): Promise<void> {
    const read = await kiosks.read(accountId, kioskId)
    if (read === undefined) throw verificationNotFound()
    refuseRevoked(read.value)
    transaction.hold(read.guard)
  }

  async function take(
    transaction: Transaction,
    { opened, digest, signed, kiosk, followed }: CaptureInput,
  ): Promise<TakenSession> {
    const { captureId, sequence } = opened.capture
    const { accountId, kioskId } = kiosk
    const uses = { kioskId, captureId, sequence, planId: signed?.jti ?? null }
    const before = await captures.before(transaction, uses)
    const known = before.capture
    if (known !== undefined) refuseOther(known, digest)
    if (known !== undefined && (await sessions.read(accountId, known.sessionId)) !== undefined)
      return { taken: { ...opened, record: known, plan: known.hasPlan ? signed : undefined } }
    await holdPaired(transaction, kiosk)
    if (!isFree(before.sequence, captureId)) throw sequenceUsed()
    const plan = isFree(before.plan, captureId) ? signed : undefined
    const session = beginSession(opened.capture, kiosk, followed, now())
    const { sessionId } = session
    const hasPlan = plan !== undefined
    const record: CaptureRecord = { captureId, kioskId, digest, sessionId, hasPlan, answer: null }
    captures.claim(transaction, record, { ...uses, planId: plan?.jti ?? null })
    sessions.insert(transaction, session)
    const start = await prepareStart(events, session)
    transaction.write(...start.writes)
    return { taken: { ...opened, record, plan }, start }
  }

  return async (captureId, sealed, kiosk) => {
    const followed = await follow(kiosk)
    const opened = await openCapture(sealed, kiosk, captureId)
    const digest = digestOf(sealed)
    const { plan: jws, capturedAt } = opened.capture
    const signed = jws === null ? undefined : await plans.read(jws, kiosk, Date.parse(capturedAt))
    const given = { opened, digest, signed, kiosk, followed }
    const { taken, start } = await transact(store, (transaction) => take(transaction, given), busyCapture)
    if (start === undefined) return taken
    start.send()
    const { accountId, verificationId, kioskId } = kiosk
    const ids = { kioskId, verificationId, verificationSessionId: taken.record.sessionId }
    await audit.note(accountId, 'submitKiosk', 'kiosk', ids)
    return taken
  }
}

/** A capture's session, which is submitted as soon as it begins. */
function beginSession(
  capture: KioskCapture,
  { verificationId, kioskId, locale }: KioskRecord,
  { account, configured }: FollowedVerification,
  created: number,
): SessionRecord {
  const { captureId, capturedAt, clockOffsetInMilliseconds, answer, consent, deviceReport } = capture
  const record = newRecord(
    {
      account,
      verificationId,
      collectionId: verificationId,
      settings: settingsOf(configured, new Map()),
      inputs: { externalId: null, correlationId: null, locale, enroll: true, custom: [] },
      attemptKeys: [],
      source: 'kiosk',
    },
    [],
    // The pictures are still on the kiosk, so the session stays open for as long as the kiosk may send them again.
    { created, expiresAt: created + retentionInMilliseconds },
  )
  return {
    ...record,
    state: 'Submitted',
    reached: milestonesOf(capture),
    consent,
    deviceReport: deviceReport ?? null,
    frameCount: capture.frames.length,
    kiosk: {
      kioskId,
      captureId,
      capturedAt: new Date(capturedAt).toISOString(),
      receivedAt: created,
      clockDriftInSeconds: -clockOffsetInMilliseconds / 1000,
      answer,
    },
  }
}

function milestonesOf({ consent, frames }: KioskCapture): SessionRecord['reached'] {
  const isSeen = frames.length > 0
  return [
    ...(consent.given ? ['consented' as const] : []),
    ...(isSeen ? ['firstPicture' as const] : []),
    'submitted',
  ]
}

/** True if the capture may use it: it is unused, or this capture used it before its session was lost. */
function isFree(user: string | undefined, captureId: string): boolean {
  return user === undefined || user === captureId
}

/** Another request is handling the capture. Retrying the same request a little later gets an answer. */
export function busyCapture(): Problem {
  return new Problem('overloaded', 'The capture is being judged by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}

/** Identifies the same capture when it is sent again. */
export function digestOf(sealed: string): string {
  return hash('sha256', sealed, 'base64url')
}

/** @throws {Problem} 400 `capture_refused` if different bytes were sent under the same ID */
export function refuseOther(known: Pick<CaptureRecord, 'digest'>, digest: string): void {
  if (known.digest !== digest) throw otherCapture()
}

function otherCapture(): Problem {
  const message = 'Must be the id of one capture; other bytes were sent under this one before.'
  return captureRefused([{ pointer: '#/captureId', message }])
}

function sequenceUsed(): Problem {
  return new Problem('sequence_used', 'Another capture of this kiosk already uses this sequence.')
}
