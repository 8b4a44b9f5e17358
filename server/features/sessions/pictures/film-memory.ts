import { createHmac } from 'node:crypto'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { retentionInMilliseconds } from '#server/features/sessions/records/session-record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { busy } from '#server/platform/running/places.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { deployment, type GuardedRecord } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import {
  contextOf,
  createFilmLookUp,
  createFilmTables,
  type FilmHashes,
  type FilmOwner,
  foundBy,
  foundByMovement,
  hashesIn,
  hashLength,
} from './film-look-up.ts'
import { packMotion } from './film-motion.ts'
import { movementsIn, sketchedPictures, sketchOf, sketchSigns } from './film-sketch.ts'

/** Remembers judged films by keyed hashes and a few numbers about their content, but never a picture. In the store, so it works across processes. */
export interface FilmMemory {
  /** A picture's sketch, for its point in the session record. It still identifies the film after re-encoding. */
  sketch(signature: Float32Array): string
  /**
   * Sets `isKnown` on each picture that has a digest: true if it also came with another session, or in another try of this
   * one. Remembers the film, unless the session was changed since it was read. A second call for the same try returns the
   * same.
   */
  compare(session: GuardedRecord<FilmOwner>, film: readonly TrailPoint[]): Promise<readonly TrailPoint[]>
  /** Forgets these sessions' films. */
  forget(sessionIds: readonly string[]): Promise<void>
}

/** How a film matches earlier films. */
interface FilmMatch {
  readonly hashes: ReadonlySet<string>
  /** Indices of the pictures that an earlier film contains in another encoding. */
  readonly pictures: ReadonlySet<number>
}

/**
 * The stored films. [Note: A film leaves eleven entries] One entry has the hashes and the motion of all the film's pictures, often more than a
 * hundred. Two pictures and eight movements lead to it.
 */
function createKeptFilms(store: Store, keyRing: KeyRing, now: Clock) {
  const tables = createFilmTables(store)
  const { leads, films } = tables
  const { lookUpMovements, lookUpPictures } = createFilmLookUp(tables, keyRing)

  return {
    /** Matches a film and remembers it. `leading` are the new entries that lead to it; `lost` is true if the commit was refused. */
    async take({ value: own, guard }: GuardedRecord<FilmOwner>, film: FilmHashes) {
      const { sessionId, tries, created } = own
      const [seen, moved] = await Promise.all([
        lookUpPictures(own, film.pictures),
        lookUpMovements(own, film),
      ])
      const match: FilmMatch = { hashes: seen.known, pictures: moved.pictures }
      const moving = moved.pictures.size > 0 ? [] : moved.leading
      const leading = [...seen.leading, ...moving.map(({ hash }) => hash)]
      if (leading.length === 0 || seen.isRemembered || moved.isRemembered)
        return { match, leading, lost: false }
      const left = Math.max(1, (created + retentionInMilliseconds - now()) / 1000)
      const lead = (hash: string, at?: number) =>
        leads.write(deployment, hash, { sessionId, tries, ...(at !== undefined && { at }) }, left)
      const motion = {
        movements: moving.map(({ hash }) => hash).join(''),
        motion: keyRing.seal('film-motion', contextOf(own), packMotion(film.sketched)),
      }
      const kept = { tries, hashes: seen.fresh.join(''), ...(moving.length > 0 && motion) }
      const writes = [
        ...seen.leading.map((hash) => lead(hash)),
        ...moving.map(({ hash, at }) => lead(hash, at)),
        films.write(sessionId, String(tries), kept, left),
      ]
      const absent = leading.map((hash) => leads.absent(deployment, hash))
      const holds = await store.commit(writes, [guard, ...absent])
      return { match, leading, lost: !holds }
    },
    async forget(sessionId: string): Promise<void> {
      const writes: Write[] = []
      for await (const { tries, hashes, movements = '' } of films.list(sessionId)) {
        const leading = [...hashesIn(hashes).slice(0, foundBy.kept), ...hashesIn(movements)]
        writes.push(...leading.map((hash) => leads.write(deployment, hash, undefined)))
        writes.push(films.write(sessionId, String(tries), undefined))
      }
      if (writes.length > 0) await store.commit(writes, [])
    },
  }
}

export function createFilmMemory(store: Store, keyRing: KeyRing, now: Clock): FilmMemory {
  const key = keyRing.derive('film-memory')
  const signs = sketchSigns(keyRing.derive('film-sketch'))
  const kept = createKeptFilms(store, keyRing, now)
  const hashOf = (text: string) =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, hashLength)

  function hashesOf(
    accountId: string,
    digests: readonly (string | undefined)[],
    film: readonly TrailPoint[],
  ) {
    const sketched = sketchedPictures(film)
    const lookedUp = movementsIn(sketched).slice(0, foundByMovement.lookedUp)
    return {
      pictures: [...new Set(digests)].filter((hash) => hash !== undefined).sort(),
      movements: lookedUp.map(({ picture, signs: all }) => ({
        picture,
        // Movement signs repeat. Within an account, enough of them stay unused.
        hashes: all.map((one) => hashOf(`movement/${accountId}/${one}`)),
      })),
      sketched,
    }
  }

  /** [Note: A session that was changed] If another film won the race, the next attempt finds it. Otherwise, the changed session is judged again. */
  async function findMatch(session: GuardedRecord<FilmOwner>, film: FilmHashes): Promise<FilmMatch> {
    let before: string | undefined
    return retryOnConflict(async () => {
      const { match, leading, lost } = await kept.take(session, film)
      const isChanged = leading.join() === before
      before = leading.join()
      return lost && !isChanged ? undefined : match
    }, busy)
  }

  return {
    sketch: (signature) => sketchOf(signature, signs),
    async compare(session, film) {
      const hashes = film.map(({ digest }) => (digest === undefined ? undefined : hashOf(digest)))
      const match = await findMatch(session, hashesOf(session.value.accountId, hashes, film))
      return film.map((point, i) => {
        const hash = hashes[i]
        const isKnown = hash !== undefined && (match.hashes.has(hash) || match.pictures.has(i))
        return hash === undefined ? point : { ...point, isKnown }
      })
    },
    async forget(sessionIds) {
      for (const sessionId of sessionIds) await kept.forget(sessionId)
    },
  }
}
