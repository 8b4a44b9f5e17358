import type { Audit } from '#server/features/audit/audit.ts'
import type { HandlersOf, SessionCaller } from '#server/features/callers/callers.ts'
import { capturePlanOf } from '#server/features/sessions/access/appearance.ts'
import { handoffOf, mayLearn, openerOf, withTimeAgain } from '#server/features/sessions/access/holder.ts'
import {
  busy,
  type ReadSession,
  refuseEnded,
  type SessionRead,
} from '#server/features/sessions/access/session-reader.ts'
import type { HandedInPictures } from '#server/features/sessions/early-pictures/early-pictures.ts'
import type { Handoff, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Tokens } from '#server/features/tokens/tokens.ts'
import { sameDigest } from '#server/platform/crypto/constant-time.ts'
import { groupedCode, newReadableCode } from '#server/platform/crypto/readable-code.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { readHandoffCode } from '#shared/contract/sessions/session-handoff.ts'
import type { Region } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
import { digestOfCode, newHandoffNumber } from './handoff-code.ts'

const codeLifetimeInSeconds = 180
/** [Note: Ours] A new code every three minutes needs only five. A person does not request more than that. */
const mostCodes = 20

export type Handoffs = HandlersOf<'configuration', 'createHandoff' | 'takeHandoff' | 'cancelHandoff'>

/** Maps a code to its session for the code's lifetime. Only the key contains the code, as a digest. */
interface Place {
  accountId: string
  sessionId: string
}

interface Dependencies {
  store: Store
  sessions: SessionStore
  readSession: ReadSession
  /** Removes the pictures sent early by the device that loses the session. */
  handedIn: Pick<HandedInPictures, 'drop'>
  tokens: Tokens
  audit: Pick<Audit, 'note'>
  region: Region
  /** The pages' public origin. */
  origin: () => string
  now: Clock
}

/**
 * [Note: A code is handed over, not a token] Everyone in the room can see the screen, so a code works once, for three
 * minutes, and only before the first picture. The session's record stores the digest of the one valid code, and the commit
 * that takes over the session removes it.
 */
export function createHandoffs(services: Dependencies): Handoffs {
  const { store, readSession, tokens, audit, region, origin, now } = services
  const places = createTable<Place>(store, 'handoff')

  /** Changes a session's handoff, and retries with the new record if another request was faster. */
  function change(
    place: Place,
    changed: (record: SessionRecord) => Handoff | undefined,
  ): Promise<SessionRecord> {
    return retryOnConflict(async () => {
      const read = await readSession(place)
      const handoff = changed(read.value)
      if (handoff === undefined) return read.value
      return passOn(services, read, handoff)
    }, busy)
  }

  return {
    async createHandoff({ caller }) {
      const code = newReadableCode()
      const expiresAt = now() + codeLifetimeInSeconds * 1000
      await change(caller, (record) => withCode(record, caller, digestOfCode(code), now()))
      const { accountId, sessionId } = caller
      await places.put(deployment, code, { accountId, sessionId }, codeLifetimeInSeconds)
      return {
        code: groupedCode(code),
        url: `${origin()}/handoff#${code}`,
        expirationUtcTime: new Date(expiresAt).toISOString(),
      }
    },

    async takeHandoff({ body }) {
      const code = readHandoffCode(body.code)
      const place = await places.get(deployment, code)
      if (place === undefined) throw worthless()
      const record = await change(place, (read) => taken(read, digestOfCode(code))).catch(hideMissing)
      await places.remove(deployment, code)
      const { accountId, sessionId, verificationId, expiresAt } = record
      const { holder: device, number } = handoffOf(record)
      const ids = { verificationId, verificationSessionId: sessionId }
      await audit.note(accountId, 'takeHandoff', 'session', ids)
      return {
        verificationSessionId: sessionId,
        sessionToken: await tokens.issueSession({ accountId, sessionId, device }, expiresAt),
        expirationUtcTime: new Date(expiresAt).toISOString(),
        capturePlan: capturePlanOf(record, region),
        number: number!,
      }
    },

    async cancelHandoff({ caller }) {
      await change(caller, (record) => takenBack(record, caller.device, now()))
      return {}
    },
  }
}

/** Saves a session with its handoff; undefined if another request was faster. Drops pictures from a device that loses the session. */
async function passOn(
  { store, sessions, handedIn, now }: Dependencies,
  read: SessionRead,
  handoff: Handoff,
): Promise<SessionRecord | undefined> {
  const moved = { ...read.value, handoff }
  const isElsewhere = handoff.holder !== handoffOf(read.value).holder
  const record = isElsewhere ? withTimeAgain(moved, now()) : moved
  const transaction = beginTransaction(store)
  if (isElsewhere) await handedIn.drop(transaction, record)
  sessions.save(transaction, read, record)
  return (await transaction.commit()) ? record : undefined
}

function withCode(
  record: SessionRecord,
  { device }: SessionCaller,
  codeDigest: string,
  now: number,
): Handoff {
  if (device !== openerOf(record))
    throw new Problem('forbidden', 'Only the device that opened the session may do this.')
  refuseEnded(record, now)
  if (!isUntouched(record)) throw begun()
  const handoff = handoffOf(record)
  if (handoff.codes >= mostCodes) throw tooMany(record, now)
  return { ...handoff, codes: handoff.codes + 1, codeDigest }
}

function taken(record: SessionRecord, digest: string): Handoff {
  const handoff = handoffOf(record)
  const { codeDigest } = handoff
  const isGood = codeDigest !== null && sameDigest(codeDigest, digest) && isUntouched(record)
  if (!isGood) throw worthless()
  const device = handoff.taken + 1
  const followed = { ...handoff, followers: [...(handoff.followers ?? []), device] }
  return { ...followed, holder: device, taken: device, codeDigest: null, number: newHandoffNumber() }
}

/** Undefined if there is nothing to take back. */
function takenBack(record: SessionRecord, device: number, now: number): Handoff | undefined {
  refuseEnded(record, now)
  if (!mayLearn(record, device))
    throw new Problem('session_handed_over', 'The session was handed over to another device.')
  const { holder, codeDigest, ...rest } = handoffOf(record)
  const opener = openerOf(record)
  if (holder === opener && codeDigest === null) return undefined
  return { ...rest, holder: opener, codeDigest: null, number: null }
}

/**
 * [Note: Handed over before the first picture] Two cameras show two different places, which fails every check, so a check
 * stays on the device where it began.
 */
function isUntouched({ state, frameCount, progress, before }: SessionRecord): boolean {
  const isOpen = state === 'Created' || (state === 'Started' && before === undefined)
  return isOpen && frameCount === 0 && progress.answered.length === 0
}

function begun(): Problem {
  return new Problem(
    'session_begun',
    'Pictures have already been submitted, so the session cannot move to another device.',
  )
}

/** Gives the same answer for every code that does not work, so that it reveals nothing about any session. */
function worthless(): Problem {
  return new Problem('handoff_expired', 'The code is unknown, has been used or has expired.')
}

function hideMissing(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? worthless() : error
}

function tooMany({ expiresAt }: SessionRecord, now: number): Problem {
  return new Problem('too_many_requests', 'Too many codes have been created for this session.', {
    retryAfterInSeconds: Math.max(1, Math.ceil((expiresAt - now) / 1000)),
  })
}
