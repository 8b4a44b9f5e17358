import { createHmac } from 'node:crypto'
import type { Opener, SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { networkOf } from '#server/platform/http/limits/network.ts'
import { countOf } from '#server/platform/store/counts.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { limits } from '#shared/contract/sessions/session.ts'
import { shareOfAddress } from '#shared/left-behind.ts'
import { Problem } from '#shared/problem.ts'

const dayInMilliseconds = 24 * 3600 * 1000
/** A session is stored for 7 times 24 hours, which can span eight calendar days. */
const countedDays = 8
/** All sessions open now end within this time, and release their reservations. */
const retryAfterInSeconds = 15 * 60

/**
 * How many bytes a session takes up in Redis, the store that needs the most room. Measured by `npm run bench -- left-behind`.
 * `around` covers everything except the record itself: the row, the changes and the events.
 */
const bytesOfSession = { around: 9_000, picture: 3_000, film: 4_300 } as const

/** For the record and the commit of a session that is being opened. */
interface Reservation {
  readonly opener: Opener
  readonly writes: readonly Write[]
}

/** The session members that determine its size. */
type SessionExtent = Pick<SessionRecord, 'created' | 'frameCount' | 'outcome' | 'settings' | 'test' | 'tries'>

/**
 * Limits the bytes that one address's sessions leave in the store. [Note: Strangers cannot fill the store] A session is
 * stored for 7 days, even if its visitor leaves at once. So each address is charged: the largest size that a session can
 * reach while it is open, its actual size after it ends, and nothing if a live person passed. An address that has used up
 * its room gets a 429 until older sessions are gone. Sessions from kiosks and create-session are free, because only a
 * credential opens them.
 */
export interface AddressShares {
  /** @returns undefined if there is no limit @throws {Problem} 429 if the address has used up its share */
  reserve(address: string, opened: SessionRecord): Promise<Reservation | undefined>
  /** For the commit that ends a session: replaces the reservation with the actual size. */
  settle(ended: SessionRecord): Write[]
}

/** `openingsAMinute` sets each address's share; undefined disables the limit. */
export function createAddressShares(
  store: Pick<Store, 'list'>,
  keyRing: KeyRing,
  now: Clock,
  openingsAMinute: number | undefined,
): AddressShares {
  const mostBytes = openingsAMinute && shareOfAddress(openingsAMinute)
  const secret = keyRing.derive('left-behind')
  const prefixOf = (network: string) => `left-behind/${network}/`
  const digestOf = (address: string) =>
    createHmac('sha256', secret).update(networkOf(address)).digest('base64url').slice(0, 22)

  async function leftBy(network: string): Promise<number> {
    const oldest = dayOf(now()) - countedDays
    let bytes = 0
    for await (const { key, value } of store.list(prefixOf(network)))
      if (Number(key.slice(prefixOf(network).length)) > oldest) bytes += countOf(value)
    return bytes
  }

  function counting(network: string, created: number, more: number): Write[] {
    const key = `${prefixOf(network)}${dayOf(created)}`
    const expiresInSeconds = (countedDays * dayInMilliseconds) / 1000
    return more === 0 ? [] : [{ kind: 'add', key, more, expiresInSeconds }]
  }

  return {
    async reserve(address, opened) {
      if (mostBytes === undefined) return undefined
      const opener = { network: digestOf(address), reservedBytes: mostBytesOf(opened) }
      if ((await leftBy(opener.network)) + opener.reservedBytes > mostBytes) throw tooMuch()
      return { opener, writes: counting(opener.network, opened.created, opener.reservedBytes) }
    },
    settle(ended) {
      const { opener, created } = ended
      if (opener === undefined) return []
      const left = isOfLivingPerson(ended) ? 0 : bytesLeftBy(ended)
      return counting(opener.network, created, left - opener.reservedBytes)
    },
  }
}

function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / dayInMilliseconds)
}

function tooMuch(): Problem {
  const words = 'Too many checks from this address were begun and not passed. Try again later.'
  return new Problem('too_many_requests', words, { retryAfterInSeconds })
}

/** [Note: Tests do not prove a person] The person with a test link chooses its outcome. */
function isOfLivingPerson({ outcome, test }: SessionExtent): boolean {
  return (
    test === undefined &&
    outcome?.result.verificationResult === 'Pass' &&
    outcome.result.livenessVerificationResult === 'Pass'
  )
}

/** The size of a session that uses all its tries and pictures and sends the longest possible report. */
function mostBytesOf(opened: SessionExtent): number {
  const tries = 1 + (opened.settings.attempts ?? 0)
  const pictures = tries * limits.framesInAll
  return bytesOf(opened, { tries, pictures }) + sealedBytes(limits.deviceReportBytes)
}

/** [Note: Charged at most] A judged try counts as if it had sent every allowed picture, so the charge is never too low. */
function bytesLeftBy(ended: SessionExtent): number {
  const { tries, frameCount } = ended
  return bytesOf(ended, { tries, pictures: tries * limits.framesInAll + frameCount })
}

function bytesOf(record: SessionExtent, { tries, pictures }: { tries: number; pictures: number }): number {
  const own = bytesOfSession.around + sealedBytes(Buffer.byteLength(JSON.stringify(record)))
  const remembers = record.settings.verifiers.liveness?.type === 'Verification'
  return remembers ? own + pictures * bytesOfSession.picture + tries * bytesOfSession.film : own
}

/** The length of sealed bytes once stored as base64. */
function sealedBytes(bytes: number): number {
  return Math.ceil((bytes * 4) / 3)
}
