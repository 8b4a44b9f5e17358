import { createHmac } from 'node:crypto'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { retentionInMilliseconds, type SessionRecord } from '#server/features/sessions/record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { busy } from '#server/platform/running/places.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Read } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { packMotion, repeatedPictures, unpackMotion } from './film-motion.ts'
import { movementsIn, type SketchedPicture, sketchedPictures, sketchOf, sketchSigns } from './film-sketch.ts'

/** Whose film it is: it is forgotten with that session. */
type FilmOwner = Pick<SessionRecord, 'accountId' | 'sessionId' | 'created' | 'tries'>
type FilmName = Pick<FilmOwner, 'sessionId' | 'tries'>

/** Remembers the films that were judged, by keyed hashes and a few numbers of what they show; never a picture. In the store, so across processes. */
export interface FilmMemory {
  /** The numbers by which a picture of a film is known if the film is encoded anew; for its point in the record of the session. */
  sketch(signature: Float32Array): string
  /**
   * The film of a try with what is known of each picture that has a digest: whether it came before, with another session or in another try
   * of this one. Remembers it from now on, as long as nobody changed the session since it was read. Asked again of the same try it answers the same.
   */
  compare(session: Read<FilmOwner>, film: readonly TrailPoint[]): Promise<readonly TrailPoint[]>
  /** Forgets the films of these sessions. */
  forget(sessionIds: readonly string[]): Promise<void>
}

/**
 * By so many of its pictures a film is found, and so many of another one are looked up to find it: those of the smallest hashes, which
 * are the same where it comes again in part, and which nobody can foresee without the key.
 */
const foundBy = { kept: 2, lookedUp: 16 } as const
/** The same for its movements, of which each is looked up by three hashes. */
const foundByMovement = { kept: 6, lookedUp: 16 } as const
const hashLength = 11

/** A film in the store. */
interface KeptFilm {
  readonly tries: number
  /** The hashes of its pictures that were new, in one text; the first ones lead to it. */
  readonly hashes: string
  /** The hashes of movements that lead to it, in one text. Absent from films of 0.2.0, as is `motion`. */
  readonly movements?: string
  /** Sealed: how it moves, to compare others with. */
  readonly motion?: string
}

/** What leads to a film. */
interface Lead extends FilmName {
  /** When in the film the movement ends, in milliseconds from its first picture; absent if a picture leads to it. */
  readonly at?: number
}

/** What a film is looked up by. */
interface FilmHashes {
  /** Of its pictures, the smallest first. */
  readonly pictures: readonly string[]
  /** The most certain first: the own one, and those beside it. */
  readonly movements: readonly {
    readonly hashes: readonly string[]
    readonly picture: SketchedPicture
  }[]
  readonly sketched: readonly SketchedPicture[]
}

/** What is known of a film. */
interface FilmMatch {
  readonly hashes: ReadonlySet<string>
  /** The pictures of it that came before, encoded anew. */
  readonly pictures: ReadonlySet<number>
}

/**
 * The films in the store. [Note: A film leaves nine entries] It has a hundred pictures and more. Two of them, and six of its movements, lead to the entry of
 * the whole, which says how many came again.
 */
function createKeptFilms(store: Store, keyRing: KeyRing, now: Clock) {
  const leads = createTable<Lead>(store, 'film-picture')
  const films = createTable<KeptFilm>(store, 'session-film')
  const contextOf = ({ sessionId, tries }: FilmName) => `${sessionId}/${tries}`

  const filmOf = ({ sessionId, tries }: FilmName) => films.get(sessionId, String(tries))

  /** The pictures that came before with a film to which a movement leads. */
  async function repeatsOf(lead: Lead, film: FilmHashes, { time }: SketchedPicture) {
    const motion = (await filmOf(lead))?.motion
    if (lead.at === undefined || motion === undefined) return []
    const kept = unpackMotion(keyRing.open('film-motion', contextOf(lead), motion))
    return repeatedPictures(film.sketched, kept, time - lead.at)
  }

  /** What movements lead to, and which of them are new. */
  async function lookUpMovements(own: FilmOwner, film: FilmHashes) {
    const found = await Promise.all(
      film.movements.map(async (movement) => ({
        ...movement,
        leads: await Promise.all(movement.hashes.map((hash) => leads.get(deployment, hash))),
      })),
    )
    const others = found.flatMap(({ picture, leads: ledTo }) =>
      ledTo.flatMap((lead) => (lead === undefined || isSame(lead, own) ? [] : [{ lead, picture }])),
    )
    const once = new Map(
      others.map((one) => [`${contextOf(one.lead)} ${one.picture.time - one.lead.at!}`, one]),
    )
    const repeats = await Promise.all(
      [...once.values()].map(({ lead, picture }) => repeatsOf(lead, film, picture)),
    )
    const start = film.sketched[0]?.time ?? 0
    const leading = found
      .filter(({ leads: ledTo }) => ledTo[0] === undefined)
      .slice(0, foundByMovement.kept)
      .map(({ hashes, picture }) => ({ hash: hashes[0]!, at: Math.round(picture.time - start) }))
    const isRemembered = found.some(({ leads: [lead] }) => lead !== undefined && isSame(lead, own))
    return { pictures: new Set(repeats.flat()), leading, isRemembered }
  }

  /** What the pictures lead to, and which of them are new. */
  async function lookUpPictures(own: FilmOwner, hashes: readonly string[]) {
    const lookedUp = hashes.slice(0, foundBy.lookedUp)
    const found = await Promise.all(lookedUp.map((hash) => leads.get(deployment, hash)))
    const others = found.filter((one) => one !== undefined && !isSame(one, own))
    const hashesOf = async (lead: Lead) => hashesIn((await filmOf(lead))?.hashes ?? '')
    const known = new Set((await Promise.all(others.map((one) => hashesOf(one!)))).flat())
    const isFresh = (hash: string, i: number) => found[i] === undefined && !known.has(hash)
    const leading = lookedUp.filter(isFresh).slice(0, foundBy.kept)
    const isRemembered = found.some((one) => one !== undefined && isSame(one, own))
    return { known, leading, fresh: hashes.filter(isFresh), isRemembered }
  }

  return {
    /** What is known of a film, and what leads to it from now on; `lost` if the commit was refused that remembers it. */
    async take({ value: own, guard }: Read<FilmOwner>, film: FilmHashes) {
      const { sessionId, tries, created } = own
      const [seen, moved] = await Promise.all([
        lookUpPictures(own, film.pictures),
        lookUpMovements(own, film),
      ])
      const match: FilmMatch = { hashes: seen.known, pictures: moved.pictures }
      const movements = moved.pictures.size > 0 ? [] : moved.leading
      const leading = [...seen.leading, ...movements.map(({ hash }) => hash)]
      if (leading.length === 0 || seen.isRemembered || moved.isRemembered)
        return { match, leading, lost: false }
      const left = Math.max(1, (created + retentionInMilliseconds - now()) / 1000)
      const lead = (hash: string, at?: number) =>
        leads.write(deployment, hash, { sessionId, tries, ...(at !== undefined && { at }) }, left)
      const motion = {
        movements: movements.map(({ hash }) => hash).join(''),
        motion: keyRing.seal('film-motion', contextOf(own), packMotion(film.sketched)),
      }
      const kept = { tries, hashes: seen.fresh.join(''), ...(movements.length > 0 && motion) }
      const writes = [
        ...seen.leading.map((hash) => lead(hash)),
        ...movements.map(({ hash, at }) => lead(hash, at)),
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
    const movements = movementsIn(sketched)
      .slice(0, foundByMovement.lookedUp)
      .map(({ picture, signs: all }) => ({
        picture,
        // Of one account alone: movements are few, and those of all accounts would soon be taken.
        hashes: all.map((one) => hashOf(`movement/${accountId}/${one}`)),
      }))
    const pictures = [...new Set(digests)].filter((hash) => hash !== undefined).sort()
    return { pictures, movements, sketched }
  }

  /** [Note: A session that was changed] Another film that came first is found at the next attempt. Where nothing is, the session is not as it was: it is judged anew. */
  async function matchOf(session: Read<FilmOwner>, film: FilmHashes): Promise<FilmMatch> {
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
      const match = await matchOf(session, hashesOf(session.value.accountId, hashes, film))
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

function isSame(a: FilmName, b: FilmName): boolean {
  return a.sessionId === b.sessionId && a.tries === b.tries
}

function hashesIn(hashes: string): string[] {
  return Array.from({ length: hashes.length / hashLength }, (_, i) =>
    hashes.slice(i * hashLength, (i + 1) * hashLength),
  )
}
