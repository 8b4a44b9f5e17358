import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { repeatedPictures, unpackMotion } from './film-motion.ts'
import type { SketchedPicture } from './film-sketch.ts'

/** The session try that a film belongs to. The film is forgotten with its session. */
export type FilmOwner = Pick<SessionRecord, 'accountId' | 'sessionId' | 'created' | 'tries'>
export type FilmName = Pick<FilmOwner, 'sessionId' | 'tries'>

/**
 * How many of a film's pictures lead to it, and how many of another film's pictures are looked up. The pictures with the smallest
 * hashes are used: an excerpt of a film mostly has the same ones, and they cannot be predicted without the key.
 */
export const foundBy = { kept: 2, lookedUp: 16 } as const
/** The same for movements. Each movement is looked up by three hashes. */
export const foundByMovement = { kept: 8, lookedUp: 24 } as const
/** The length of a hash in characters. */
export const hashLength = 11

/** A stored film. */
interface KeptFilm {
  readonly tries: number
  /** The hashes of its new pictures, in one string. The first ones lead to the film. */
  readonly hashes: string
  /** The hashes of the movements that lead to the film, in one string. Absent from films stored by 0.2.0, as is `motion`. */
  readonly movements?: string
  /** The film's sealed motion, for comparison with other films. */
  readonly motion?: string
}

/** An entry that leads to a film. */
interface FilmLead extends FilmName {
  /** When the movement ends, in milliseconds from the film's first picture; absent if a picture leads to the film. */
  readonly at?: number
}

/** The hashes that a film is looked up by. */
export interface FilmHashes {
  /** The picture hashes, in ascending order. */
  readonly pictures: readonly string[]
  /** The movements, most certain first. Each has its own hash and its neighbours' hashes. */
  readonly movements: readonly {
    readonly hashes: readonly string[]
    readonly picture: SketchedPicture
  }[]
  readonly sketched: readonly SketchedPicture[]
}

/** The tables for films and for the entries that lead to them. */
export function createFilmTables(store: Store) {
  return {
    leads: createTable<FilmLead>(store, 'film-picture'),
    films: createTable<KeptFilm>(store, 'session-film'),
  }
}

/** Finds earlier films. */
export function createFilmLookUp(
  { leads, films }: ReturnType<typeof createFilmTables>,
  keyRing: Pick<KeyRing, 'open'>,
) {
  const filmOf = ({ sessionId, tries }: FilmName) => films.get(sessionId, String(tries))

  /** The pictures that `film` shares with the film behind `lead`. */
  async function findRepeats(lead: FilmLead, film: FilmHashes, { time }: SketchedPicture) {
    const motion = (await filmOf(lead))?.motion
    if (lead.at === undefined || motion === undefined) return []
    const kept = unpackMotion(keyRing.open('film-motion', contextOf(lead), motion))
    return repeatedPictures(film.sketched, kept, time - lead.at)
  }

  /** Finds films by their movements, and picks the movements that may lead to this film. */
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
      [...once.values()].map(({ lead, picture }) => findRepeats(lead, film, picture)),
    )
    const start = film.sketched[0]?.time ?? 0
    const leading = found
      .filter(({ leads: ledTo }) => ledTo[0] === undefined)
      .slice(0, foundByMovement.kept)
      .map(({ hashes, picture }) => ({ hash: hashes[0]!, at: Math.round(picture.time - start) }))
    const isRemembered = found.some(({ leads: [lead] }) => lead !== undefined && isSame(lead, own))
    return { pictures: new Set(repeats.flat()), leading, isRemembered }
  }

  /** Finds films by their pictures, and picks the pictures that may lead to this film. */
  async function lookUpPictures(own: FilmOwner, hashes: readonly string[]) {
    const lookedUp = hashes.slice(0, foundBy.lookedUp)
    const found = await Promise.all(lookedUp.map((hash) => leads.get(deployment, hash)))
    const others = found.filter((one) => one !== undefined && !isSame(one, own))
    const hashesOf = async (lead: FilmLead) => hashesIn((await filmOf(lead))?.hashes ?? '')
    const known = new Set((await Promise.all(others.map((one) => hashesOf(one!)))).flat())
    const isFresh = (hash: string, i: number) => found[i] === undefined && !known.has(hash)
    const leading = lookedUp.filter(isFresh).slice(0, foundBy.kept)
    const isRemembered = found.some((one) => one !== undefined && isSame(one, own))
    return { known, leading, fresh: hashes.filter(isFresh), isRemembered }
  }

  return { lookUpMovements, lookUpPictures }
}

/** The context that a film's motion is sealed for. */
export function contextOf({ sessionId, tries }: FilmName): string {
  return `${sessionId}/${tries}`
}

function isSame(a: FilmName, b: FilmName): boolean {
  return a.sessionId === b.sessionId && a.tries === b.tries
}

/** Splits a string into its hashes. */
export function hashesIn(hashes: string): string[] {
  return Array.from({ length: hashes.length / hashLength }, (_, i) =>
    hashes.slice(i * hashLength, (i + 1) * hashLength),
  )
}
