import { hash } from 'node:crypto'
import type { Audit } from '#server/features/audit/audit.ts'
import type { KioskRecord } from '#server/features/callers/kiosk-record.ts'
import { settingsOf } from '#server/features/links/link-inputs.ts'
import { prepareStart } from '#server/features/sessions/judging/beginning.ts'
import { newRecord } from '#server/features/sessions/opening/start.ts'
import {
  type Milestone,
  retentionInMilliseconds,
  type SessionRecord,
} from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Events } from '#server/features/webhooks/events.ts'
import type { Clock, Guard } from '#server/platform/store/store.ts'
import type { Read } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { KioskCapture, KioskPlan } from '#shared/contract/kiosk/kiosk-capture.ts'
import { Problem } from '#shared/problem.ts'
import { refuseRevoked } from './admission.ts'
import { captureRefused, type OpenCapture, type OpenedCapture } from './capture-opening.ts'
import type { CaptureRecord, CaptureStore } from './capture-store.ts'
import type { KioskStore } from './kiosk-store.ts'
import { type Follow, type Followed, verificationNotFound } from './kiosk-verification.ts'
import type { Plans } from './plans.ts'

/** A capture whose session there is. */
export interface TakenCapture extends OpenedCapture {
  readonly record: CaptureRecord
  /** Undefined where there is none that counts. */
  readonly plan: KioskPlan | undefined
}

/** Opens a capture and takes it: it has a session from then on. @throws {Problem} 400, 403, 404, 409 `sequence_used` */
export type TakeCapture = (captureId: string, sealed: string, kiosk: KioskRecord) => Promise<TakenCapture>

interface Given {
  readonly opened: OpenedCapture
  /** Of what was sent. */
  readonly digest: string
  /** The plan, where it is one that counts as such. */
  readonly signed: KioskPlan | undefined
}

interface Dependencies {
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
 * [Note: Taken in one commit] Capture, sequence, plan and session are written together or not at all: whatever happens
 * afterwards, the same capture sent again finds its session, and goes on with it.
 */
export function createTakeCapture(services: Dependencies): TakeCapture {
  const { follow, openCapture, kiosks, captures, sessions, plans, audit, events, now } = services

  /** [Note: Revoked at once] also while the body was on its way, or while another process was waited for. */
  async function stillOn({ accountId, kioskId }: KioskRecord): Promise<Guard> {
    const read = await kiosks.read(accountId, kioskId)
    if (read === undefined) throw verificationNotFound()
    refuseRevoked(read.value)
    return read.guard
  }

  async function take(
    given: Given,
    kiosk: KioskRecord,
    followed: Followed,
  ): Promise<TakenCapture | undefined> {
    const { opened, digest, signed } = given
    const { captureId, sequence } = opened.capture
    const { accountId, verificationId, kioskId } = kiosk
    const uses = { kioskId, captureId, sequence, planId: signed?.jti ?? null }
    const before = await captures.before(uses)
    const known = before.capture?.value
    if (known !== undefined && known.digest !== digest) throw otherCapture()
    if (known !== undefined && (await sessions.read(accountId, known.sessionId)) !== undefined)
      return { ...opened, record: known, plan: known.hasPlan ? signed : undefined }
    const isOn = await stillOn(kiosk)
    if (!isFree(before.sequence, captureId)) throw sequenceUsed()
    const plan = isFree(before.plan, captureId) ? signed : undefined
    const session = beginSession(opened.capture, kiosk, followed, now())
    const { sessionId } = session
    const hasPlan = plan !== undefined
    const record: CaptureRecord = { captureId, kioskId, digest, sessionId, hasPlan, answer: null }
    const claim = captures.claim(record, { ...uses, planId: plan?.jti ?? null }, before)
    const notification = await prepareStart(events, session)
    const writes = [...claim.writes, ...notification.writes]
    if (!(await sessions.add(session, writes, [...claim.guards, isOn]))) return undefined
    notification.send()
    const ids = { kioskId, verificationId, verificationSessionId: sessionId }
    await audit.note(accountId, 'submitKiosk', 'kiosk', ids)
    return { ...opened, record, plan }
  }

  return async (captureId, sealed, kiosk) => {
    const followed = await follow(kiosk)
    const opened = await openCapture(sealed, kiosk, captureId)
    const digest = hash('sha256', sealed, 'base64url')
    const { plan: jws, capturedAt } = opened.capture
    const signed = jws === null ? undefined : await plans.read(jws, kiosk, Date.parse(capturedAt))
    return retryOnConflict(() => take({ opened, digest, signed }, kiosk, followed), busyCapture)
  }
}

/** The session of a capture, which is submitted as it begins. */
function beginSession(
  capture: KioskCapture,
  { verificationId, kioskId, locale }: KioskRecord,
  { account, configured }: Followed,
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
    // The pictures are on the kiosk: for as long as it may send them again, the session is not over.
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

function milestonesOf({ consent, frames }: KioskCapture): Milestone[] {
  const isSeen = frames.length > 0
  return [
    ...(consent.given ? ['consented' as const] : []),
    ...(isSeen ? ['firstPicture' as const] : []),
    'submitted',
  ]
}

/** Whether it is this capture's to use: also what it used itself, before its session was lost. */
function isFree(user: Read<string> | undefined, captureId: string): boolean {
  return user === undefined || user.value === captureId
}

/** Somebody else has the capture in hand: the same again, a little later, is answered. */
export function busyCapture(): Problem {
  return new Problem('overloaded', 'The capture is being judged elsewhere.', { retryAfterInSeconds: 1 })
}

function otherCapture(): Problem {
  const message = 'Must be the id of one capture: under this one other bytes came before.'
  return captureRefused([{ pointer: '#/captureId', message }])
}

function sequenceUsed(): Problem {
  return new Problem('sequence_used', 'Another capture of this kiosk had this sequence.')
}
