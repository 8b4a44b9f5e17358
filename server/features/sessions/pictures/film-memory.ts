import { createHmac } from 'node:crypto'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { retentionInMilliseconds, type SessionRecord } from '#server/features/sessions/record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { busy } from '#server/platform/running/places.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type Read } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'

/** Whose film it is: it is forgotten with that session. */
type FilmOwner = Pick<SessionRecord, 'sessionId' | 'created' | 'tries'>

/** Remembers the films that were judged, by keyed hashes of what they show; never a picture. In the store, so across processes. */
export interface FilmMemory {
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
const hashLength = 11

/** A film in the store. */
interface KeptFilm {
  readonly tries: number
  /** The hashes of its pictures that were new, in one text; the first ones lead to it. */
  readonly hashes: string
}

/**
 * The films in the store. [Note: A film leaves three entries] It has a hundred pictures and more. Two of them lead to the list of all, which says how
 * many came again.
 */
function createKeptFilms(store: Store, now: Clock) {
  const leads = createTable<Pick<FilmOwner, 'sessionId' | 'tries'>>(store, 'film-picture')
  const films = createTable<KeptFilm>(store, 'session-film')

  const filmOf = async ({ sessionId, tries }: Pick<FilmOwner, 'sessionId' | 'tries'>) =>
    hashesIn((await films.get(sessionId, String(tries)))?.hashes ?? '')

  return {
    /**
     * What is known of these hashes, the smallest first, and which ones lead to them from now on; `lost` where the commit was refused that
     * remembers them.
     */
    async take({ value: own, guard }: Read<FilmOwner>, hashes: readonly string[]) {
      const { sessionId, tries, created } = own
      const lookedUp = hashes.slice(0, foundBy.lookedUp)
      const found = await Promise.all(lookedUp.map((hash) => leads.get(deployment, hash)))
      const others = found.filter((one) => one !== undefined && !isSame(one, own))
      const known = new Set((await Promise.all(others.map((one) => filmOf(one!)))).flat())
      const isFresh = (hash: string, i: number) => found[i] === undefined && !known.has(hash)
      const leading = lookedUp.filter(isFresh).slice(0, foundBy.kept)
      const isRemembered = found.some((one) => one !== undefined && isSame(one, own))
      if (leading.length === 0 || isRemembered) return { known, leading, lost: false }
      const left = Math.max(1, (created + retentionInMilliseconds - now()) / 1000)
      const writes = leading.map((hash) => leads.write(deployment, hash, { sessionId, tries }, left))
      const kept = { tries, hashes: hashes.filter(isFresh).join('') }
      const film = films.write(sessionId, String(tries), kept, left)
      const absent = leading.map((hash) => leads.absent(deployment, hash))
      const holds = await store.commit([...writes, film], [guard, ...absent])
      return { known, leading, lost: !holds }
    },
    async forget(sessionId: string): Promise<void> {
      const writes: Write[] = []
      for await (const { tries, hashes } of films.list(sessionId)) {
        const leading = hashesIn(hashes).slice(0, foundBy.kept)
        writes.push(...leading.map((hash) => leads.write(deployment, hash, undefined)))
        writes.push(films.write(sessionId, String(tries), undefined))
      }
      if (writes.length > 0) await store.commit(writes, [])
    },
  }
}

export function createFilmMemory(store: Store, keyRing: KeyRing, now: Clock): FilmMemory {
  const key = keyRing.derive('film-memory')
  const kept = createKeptFilms(store, now)
  const hashOf = (digest: string) =>
    createHmac('sha256', key).update(digest).digest('base64url').slice(0, hashLength)

  /** [Note: A session that was changed] Another film that came first is found at the next attempt. Where nothing is, the session is not as it was: it is judged anew. */
  async function knownOf(session: Read<FilmOwner>, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    let before: string | undefined
    return retryOnConflict(async () => {
      const { known, leading, lost } = await kept.take(session, hashes)
      const isChanged = leading.join() === before
      before = leading.join()
      return lost && !isChanged ? undefined : known
    }, busy)
  }

  return {
    async compare(session, film) {
      const hashes = film.map(({ digest }) => (digest === undefined ? undefined : hashOf(digest)))
      const different = [...new Set(hashes)].filter((hash) => hash !== undefined).sort()
      const known = await knownOf(session, different)
      return film.map((point, i) => {
        const hash = hashes[i]
        return hash === undefined ? point : { ...point, isKnown: known.has(hash) }
      })
    },
    async forget(sessionIds) {
      for (const sessionId of sessionIds) await kept.forget(sessionId)
    },
  }
}

function isSame(
  a: Pick<FilmOwner, 'sessionId' | 'tries'>,
  b: Pick<FilmOwner, 'sessionId' | 'tries'>,
): boolean {
  return a.sessionId === b.sessionId && a.tries === b.tries
}

function hashesIn(hashes: string): string[] {
  return Array.from({ length: hashes.length / hashLength }, (_, i) =>
    hashes.slice(i * hashLength, (i + 1) * hashLength),
  )
}
