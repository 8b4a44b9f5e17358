import { createHmac } from 'node:crypto'
import type { Analysis } from '#models/analysis.ts'
import { printSide } from '#models/print.ts'
import type { KeyRing } from '#server/security/key-ring.ts'
import type { Clock, Store, Write } from '#server/store/store.ts'
import { createTable, deployment } from '#server/store/tables.ts'
import type { Reuse } from './observation.ts'
import { retentionInMilliseconds, type SessionRecord } from './record.ts'

/** Whom a picture came with: it is forgotten with that session. */
export type PictureOwner = Pick<SessionRecord, 'sessionId' | 'created'>

/** Remembers which session a picture came with; never the picture. */
export interface PictureMemory {
  /** Tells whether the picture came with another session before, and remembers it for this one. */
  reuseOf(owner: PictureOwner, jpegBytes: Uint8Array, analysis: Analysis): Promise<Reuse>
  /** Forgets every picture of these sessions. */
  forget(sessionIds: readonly string[]): Promise<void>
}

/** A picture in the store. */
interface StoredPrint {
  readonly sessionId: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** Its numbers, sealed: they come from a picture. */
  readonly sealed: string
}

interface Remembered {
  readonly sessionId: string
  readonly until: number
  readonly numbers: Float32Array
}

/**
 * [Note: Pictures are known by 128 numbers] A hash of the bytes finds a picture that is sent again as it was. One that
 * was encoded anew or scaled is found by 128 keyed projections of its 32 x 32 luminances. Who takes a picture of the
 * same scene anew changes its light by more than encoding does: so the gain between two pictures is the test. The
 * projections do not show a face; they are sealed at rest and forgotten after 7 days.
 */
export function createPictureMemory(store: Store, keyRing: KeyRing, now: Clock): PictureMemory {
  const hashes = createTable<string>(store, 'picture')
  const ofSession = createTable<string>(store, 'picture-of-session')
  const prints = createPrints(store, keyRing, now)
  const key = keyRing.derive('picture-memory')
  const projection = keyedSigns(key)
  return {
    async reuseOf({ sessionId, created }, jpegBytes, { print }) {
      const until = created + retentionInMilliseconds
      const secondsLeft = secondsUntil(until, now)
      const hash = createHmac('sha256', key).update(jpegBytes).digest('base64url')
      const remembered = [
        hashes.write(deployment, hash, sessionId, secondsLeft),
        ofSession.write(sessionId, hash, hash, secondsLeft),
      ]
      const isNew = await store.commit(remembered, [hashes.absent(deployment, hash)])
      if (!isNew && (await hashes.get(deployment, hash)) !== sessionId) return 'same'
      if (print === undefined) return 'none'
      return prints.recall(hash, { sessionId, until, numbers: Float32Array.from(project(print, projection)) })
    },
    async forget(sessionIds) {
      for (const sessionId of sessionIds) {
        const writes: Write[] = []
        for await (const hash of ofSession.list(sessionId)) {
          writes.push(hashes.write(deployment, hash, undefined), prints.remove(hash))
          writes.push(ofSession.write(sessionId, hash, undefined))
        }
        await store.commit(writes, [])
      }
      await prints.forget(new Set(sessionIds))
    },
  }
}

/**
 * [Note: Prints are held in memory] The store is read once, at the first use; from then on it only keeps what a
 * restart must know. Looking and adding are one step without a wait between, so that of two sessions that bring the
 * same picture at once the second one finds the first. Another process learns of a picture when it starts; that the
 * very same bytes come twice is known to all of them at once, by the hash.
 */
function createPrints(store: Store, keyRing: KeyRing, now: Clock) {
  const table = createTable<StoredPrint>(store, 'sealed-print')
  let loading: Promise<Remembered[]> | undefined

  async function load(): Promise<Remembered[]> {
    const found: Remembered[] = []
    for await (const { sessionId, until, sealed } of table.list(deployment)) {
      const bytes = Uint8Array.from(keyRing.open('picture-print', `${sessionId}/${until}`, sealed))
      found.push({ sessionId, until, numbers: new Float32Array(bytes.buffer) })
    }
    return found.sort((a, b) => a.until - b.until)
  }

  function loadOnce(): Promise<Remembered[]> {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return {
    remove: (hash: string): Write => table.write(deployment, hash, undefined),
    /** [Note: Other processes forget later] what they hold in memory names a session that is no more. */
    async forget(sessionIds: ReadonlySet<string>): Promise<void> {
      const known = (await loading) ?? []
      for (let i = known.length - 1; i >= 0; i--) {
        if (sessionIds.has(known[i]!.sessionId)) known.splice(i, 1)
      }
    },
    async recall(hash: string, picture: Remembered): Promise<Reuse> {
      const { sessionId, until, numbers } = picture
      const known = await loadOnce()
      forgetUntil(known, now())
      const reuse = closest(known, picture, now())
      known.push(picture)
      const content = new Uint8Array(numbers.buffer)
      const sealed = keyRing.seal('picture-print', `${sessionId}/${until}`, content)
      await table.put(deployment, hash, { sessionId, until, sealed }, secondsUntil(until, now))
      return reuse
    },
  }
}

function secondsUntil(until: number, now: Clock): number {
  return Math.max(1, (until - now()) / 1000)
}

/** Drops what is over from the front: the list is in the order of time but for what sessions differ in length. */
function forgetUntil(known: Remembered[], time: number): void {
  const fresh = known.findIndex(({ until }) => until > time)
  known.splice(0, fresh < 0 ? known.length : fresh)
}

function closest(known: readonly Remembered[], { sessionId, numbers }: Remembered, time: number): Reuse {
  let found: Reuse = 'none'
  for (const other of known) {
    if (other.sessionId === sessionId || other.until <= time) continue
    const reuse = compare(other.numbers, numbers)
    if (reuse === 'same') return 'same'
    if (reuse === 'similar') found = 'similar'
  }
  return found
}

/** Gain and rest of encoding anew, measured: JPEG quality 85 and up at one size; 60 and up, or half the size. */
const sameWithin = { gain: 1e-4, rest: 0.06 }
const similarWithin = { gain: 4e-4, rest: 0.45 }

/** How two pictures' numbers relate: `b` is `gain` times `a` but for a rest. */
export function compare(a: ArrayLike<number>, b: ArrayLike<number>): Reuse {
  if (Math.abs(b[0]! - a[0]!) > 0.02 * Math.abs(a[0]!) + 4 || areApart(a, b)) return 'none'
  let product = 0
  let norm = 0
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!
    norm += a[i]! * a[i]!
  }
  const gain = product / Math.max(1e-9, norm)
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += (b[i]! - gain * a[i]!) ** 2
  const rest = Math.sqrt(squares / a.length)
  const within = (limit: { gain: number; rest: number }) =>
    Math.abs(gain - 1) <= limit.gain && rest <= limit.rest
  if (within(sameWithin)) return 'same'
  return within(similarWithin) ? 'similar' : 'none'
}

/** Whether no gain within the limits leaves a rest within them: most pictures are told apart by a few numbers. */
function areApart(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const most = similarWithin.rest ** 2 * a.length
  let squares = 0
  for (let i = 0; i < a.length && squares <= most; i++) {
    const least = Math.abs(b[i]! - a[i]!) - similarWithin.gain * Math.abs(a[i]!)
    if (least > 0) squares += least * least
  }
  return squares > most
}

const projections = 128
const cells = printSide * printSide

/** Rows of +1 and -1 from the server's key: without it nobody can tell what a change does to the numbers. */
export function keyedSigns(key: Uint8Array): Int8Array {
  const signs = new Int8Array(projections * cells)
  for (let row = 0; row < projections; row++) {
    let bits = Buffer.alloc(0)
    for (let block = 0; bits.length < cells / 8; block++) {
      bits = Buffer.concat([bits, createHmac('sha512', key).update(`row ${row} block ${block}`).digest()])
    }
    for (let i = 0; i < cells; i++) signs[row * cells + i] = (bits[i >> 3]! >> (i & 7)) & 1 ? 1 : -1
  }
  return signs
}

/** Each number has the scale of a luminance: the rows have length 1. */
export function project(print: Float32Array, signs: Int8Array): number[] {
  const scale = 1 / Math.sqrt(cells)
  return Array.from({ length: projections }, (_, row) => {
    let sum = 0
    for (let i = 0; i < cells; i++) sum += signs[row * cells + i]! * print[i]!
    return Math.round(sum * scale * 1000) / 1000
  })
}
