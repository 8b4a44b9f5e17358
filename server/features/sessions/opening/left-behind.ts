import { createHmac } from 'node:crypto'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { networkOf } from '#server/platform/http/limits/network.ts'
import { countOf } from '#server/platform/store/counts.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { shareOfAddress } from '#shared/contract/left-behind.ts'
import { limits } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'

const dayInMilliseconds = 24 * 3600 * 1000
/** A session stays for 7 days, which reach into an eighth. */
const countedDays = 8
/** Until the sessions that are open now have ended, and count as what they leave. */
const retryAfterInSeconds = 15 * 60

/**
 * What a session takes on the store that needs most for it, in bytes; `npm run bench -- left-behind` measures them.
 * `around` is everything but the record itself: its row, its changes, its events.
 */
export const bytesOfSession = { around: 9_000, picture: 3_000, film: 3_600 } as const

/** Who opened a session, and what was reserved for it. */
export interface Opener {
  /** A keyed digest of the address, or of its /64: it names nobody. */
  readonly network: string
  readonly reservedBytes: number
}

/** As much of a session as says what it leaves. */
type Leaving = Pick<SessionRecord, 'created' | 'frameCount' | 'outcome' | 'settings' | 'test' | 'tries'>

/**
 * What the sessions of one address leave in the store.
 * [Note: Nobody fills the store] A session that a stranger opens stays for 7 days, whatever becomes of it. So the bytes are counted for the
 * address: as many as it might take while it is open, as many as it left once it ended, and none if a living person passed.
 * An address that has left its share opens no more until some of it is gone. Sessions of kiosks and of create-session are not counted: somebody
 * with a credential answers for them.
 */
export interface LeftBehind {
  /** @throws {Problem} 429 if the address has left its share already */
  reserve(address: string, opened: SessionRecord): Promise<{ opener: Opener; writes: Write[] }>
  /** For the commit that ends a session: from then on it counts as what it left. */
  settle(ended: SessionRecord): Write[]
}

/** Without a limit of openings there is none of what they leave. */
export function createLeftBehind(
  store: Pick<Store, 'list'>,
  keyRing: KeyRing,
  now: Clock,
  openingsAMinute: number | undefined,
): LeftBehind {
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

  function counting(network: string, created: number, add: number): Write[] {
    const key = `${prefixOf(network)}${dayOf(created)}`
    const expiresInSeconds = (countedDays * dayInMilliseconds) / 1000
    return add === 0 ? [] : [{ key, value: undefined, add, expiresInSeconds }]
  }

  return {
    async reserve(address, opened) {
      const opener = { network: digestOf(address), reservedBytes: mostBytesOf(opened) }
      if (mostBytes === undefined) return { opener, writes: [] }
      if ((await leftBy(opener.network)) + opener.reservedBytes > mostBytes) throw tooMuch()
      return { opener, writes: counting(opener.network, opened.created, opener.reservedBytes) }
    },
    settle(ended) {
      const { opener, created } = ended
      if (mostBytes === undefined || opener === undefined) return []
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

/** [Note: A test proves nobody] Whoever holds its link says how it ends. */
function isOfLivingPerson({ outcome, test }: Leaving): boolean {
  return (
    test === undefined &&
    outcome?.result.verificationResult === 'Pass' &&
    outcome.result.livenessVerificationResult === 'Pass'
  )
}

/** The most that a session can leave, with as many tries and pictures as it may have. */
function mostBytesOf(opened: Leaving): number {
  const tries = 1 + (opened.settings.attempts ?? 0)
  const pictures = tries * limits.framesInAll
  return bytesOf(opened, { tries, pictures }) + sealedBytes(limits.deviceReportBytes)
}

/** [Note: At the most] A try that was judged counts as if it had brought all the pictures that it may: what is counted is never too little. */
function bytesLeftBy(ended: Leaving): number {
  const { tries, frameCount } = ended
  return bytesOf(ended, { tries, pictures: tries * limits.framesInAll + frameCount })
}

function bytesOf(record: Leaving, { tries, pictures }: { tries: number; pictures: number }): number {
  const own = bytesOfSession.around + sealedBytes(Buffer.byteLength(JSON.stringify(record)))
  const remembers = record.settings.verifiers.liveness?.type === 'Verification'
  return remembers ? own + pictures * bytesOfSession.picture + tries * bytesOfSession.film : own
}

/** Bytes are sealed, and stand as base64. */
function sealedBytes(bytes: number): number {
  return Math.ceil((bytes * 4) / 3)
}
