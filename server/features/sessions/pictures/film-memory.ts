import { createHmac } from 'node:crypto'
import { retentionInMilliseconds, type SessionRecord } from '#server/features/sessions/record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'

/** Whose film it is: it is forgotten with that session. */
export type FilmOwner = Pick<SessionRecord, 'sessionId' | 'created' | 'tries'>

/** Remembers films by some of their pictures; never a picture. In the store, so across processes. */
export interface FilmMemory {
  /**
   * What is new of a film, by what its pictures are known by: whether each came before, with another session or in another try of this
   * one; undefined for those that are not looked up. Remembers them. What is sent again in the same try is not known.
   */
  known(owner: FilmOwner, contents: readonly Uint8Array[]): Promise<(boolean | undefined)[]>
  /** Forgets the films of these sessions. */
  forget(sessionIds: readonly string[]): Promise<void>
}

/** So many pictures of each request are looked up and remembered: this many, and one in so many of a long one. */
const sampled = { fewest: 4, oneIn: 8 } as const

/**
 * [Note: Some pictures of a film] A film has a hundred pictures and more: those of the smallest keyed hashes are remembered, which is the same
 * choice in whatever pieces it comes again, and one that nobody can foresee who lacks the key.
 */
export function createFilmMemory(store: Store, keyRing: KeyRing, now: Clock): FilmMemory {
  const key = keyRing.derive('film-memory')
  const owners = createTable<string>(store, 'film-picture')
  const ofSession = createTable<readonly string[]>(store, 'session-film')

  const hashOf = (content: Uint8Array) =>
    createHmac('sha256', key).update(content).digest().subarray(0, 16).toString('base64url')

  /** Which of these another visit or try brought first; undefined where somebody else brought one meanwhile. */
  async function tryToAdd(
    { sessionId, created, tries }: FilmOwner,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, boolean> | undefined> {
    const own = `${sessionId}/${tries}`
    const found = await Promise.all(hashes.map((hash) => owners.get(deployment, hash)))
    const fresh = hashes.filter((_, i) => found[i] === undefined)
    if (fresh.length > 0) {
      const left = Math.max(1, (created + retentionInMilliseconds - now()) / 1000)
      const writes = fresh.map((hash) => owners.write(deployment, hash, own, left))
      const list = ofSession.write(sessionId, fresh[0]!, fresh, left)
      const guards = fresh.map((hash) => owners.absent(deployment, hash))
      if (!(await store.commit([...writes, list], guards))) return undefined
    }
    return new Map(hashes.map((hash, i) => [hash, found[i] !== undefined && found[i] !== own]))
  }

  async function forgetFilm(sessionId: string): Promise<void> {
    const writes: Write[] = []
    for await (const hashes of ofSession.list(sessionId)) {
      writes.push(...hashes.map((hash) => owners.write(deployment, hash, undefined)))
      writes.push(ofSession.write(sessionId, hashes[0]!, undefined))
    }
    if (writes.length > 0) await store.commit(writes, [])
  }

  return {
    async known(owner, contents) {
      const hashes = contents.map(hashOf)
      const chosen = sampleOf(hashes)
      if (chosen.length === 0) return []
      const known = await retryOnConflict(() => tryToAdd(owner, chosen), busy)
      return hashes.map((hash) => known.get(hash))
    },
    async forget(sessionIds) {
      for (const sessionId of sessionIds) await forgetFilm(sessionId)
    },
  }
}

function sampleOf(hashes: readonly string[]): string[] {
  const different = [...new Set(hashes)].sort()
  return different.slice(0, Math.max(sampled.fewest, Math.ceil(different.length / sampled.oneIn)))
}

function busy(): Problem {
  return new Problem('overloaded', 'The server is busy. Try again shortly.', { retryAfterInSeconds: 2 })
}
