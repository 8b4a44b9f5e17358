import { randomUUID } from 'node:crypto'
import type { Observation } from '#models/rules/observation.ts'
import type { SubmittedPictures } from '#server/features/sessions/pictures/submission.ts'
import {
  type EvidenceRecords,
  ownerOf,
  type SessionKey,
} from '#server/features/sessions/records/evidence-records.ts'
import { isGathered } from '#server/features/sessions/records/evidence-retention.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { openBytes, sealBytes } from '#server/platform/crypto/key-ring.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { choosePictures } from './chosen-pictures.ts'
import { encodeFilmPicture, encodePicture } from './encode-evidence.ts'
import { type EvidencePictures, pack, unpack } from './packed-evidence.ts'
import { createTurns } from './turns.ts'
import { thinned, wholeOf } from './whole-evidence.ts'

/**
 * Keeps a session's pictures for review. [Note: Evidence may be lost, a verdict never] They are re-encoded and stored after
 * the verdict is committed, one at a time and off the event loop. No response waits for them. If there is no room, they are
 * dropped, which is logged, counted and shown with the session.
 */
export interface Evidence {
  /**
   * Stores a submission's pictures in the background, after its commit. `seen` are the observations in them, in the same
   * order; it may start with those in early pictures, which were stored when they were analysed. `tried` is the try's
   * number, starting at 1.
   */
  gather(
    session: SessionRecord,
    submission: SubmittedPictures,
    seen: readonly Observation[],
    tried: number,
  ): void
  /** Assembles the evidence to keep, or removes the gathered pictures, after the commit that ends a session. */
  settleEnd(session: SessionRecord): void
  /** Reads a session's stored pictures; undefined if there are none. Waits for pictures that this process is still storing. */
  read(whose: SessionKey): Promise<EvidencePictures | undefined>
  /** Removes the stored pictures of a session that no longer has a record. */
  remove(whose: SessionKey): Promise<void>
  /** Does the same after a delay, unless the record exists again by then because a decision was undone. */
  removeLater(whose: SessionKey, inMilliseconds: number): void
  /** Removes pictures that have no record, and returns the number of sessions affected. */
  sweep(): Promise<number>
  /** Resolves when no work is pending. */
  settle(): Promise<void>
  /** Finishes pending work before the store closes. Scheduled removals are left to a later sweep. */
  stop(): Promise<void>
}

interface Dependencies {
  readonly records: EvidenceRecords
  readonly blobs: Blobs
  readonly now: Clock
  /** Receives the reason that pictures were lost. */
  readonly onLost: (error: unknown) => void
}

/** [Note: Waiting pictures are bounded] Pictures beyond this limit are dropped, so that a slow disk cannot exhaust the memory. */
const mostWaitingBytes = 64 * 1024 * 1024
const whole = 'whole'
/** The record has expired in the store by then. */
const expiredByMilliseconds = 250

export function createEvidence(services: Dependencies): Evidence {
  const { blobs, onLost } = services
  const turns = createTurns(mostWaitingBytes)
  const toCome = new Set<NodeJS.Timeout>()
  const { lose, putAway, remove, removeOwnerless, finish, read } = createWork(services)

  return {
    gather(session, submission, seen, tried) {
      const all = [...submission.pictures, ...submission.trail]
      if (!isGathered(session) || all.length === 0) return
      const bytes = all.reduce((sum, one) => sum + one.bytes.length, 0)
      const isTaken = turns.take(ownerOf(session), bytes, () =>
        putAway(session, submission, seen, tried).catch((error) => lose(session, error)),
      )
      if (!isTaken) void lose(session, new Error('Too many pictures wait to be kept.'))
    },
    settleEnd(session) {
      if (!isGathered(session)) return
      turns.take(ownerOf(session), 0, () => finish(session).catch((error) => lose(session, error)))
    },
    async read(whose) {
      await turns.settle(ownerOf(whose))
      return read(whose)
    },
    async remove(whose) {
      await turns.settle(ownerOf(whose))
      await remove(whose)
    },
    removeLater(whose, inMilliseconds) {
      const owner = ownerOf(whose)
      const timer = setTimeout(() => {
        toCome.delete(timer)
        turns.take(owner, 0, () => removeOwnerless(owner).then(() => {}, onLost))
      }, inMilliseconds + expiredByMilliseconds).unref()
      toCome.add(timer)
    },
    async sweep() {
      let gone = 0
      for await (const owner of blobs.owners()) {
        if (await removeOwnerless(owner)) gone++
      }
      return gone
    },
    settle: () => turns.settle(),
    async stop() {
      for (const timer of toCome) clearTimeout(timer)
      toCome.clear()
      await turns.settle()
    },
  }
}

/** Creates the background queue's tasks. */
function createWork(services: Dependencies) {
  const { records, blobs, onLost } = services
  const vault = createVault(services)

  async function lose(whose: SessionKey, error: unknown): Promise<void> {
    onLost(error)
    await records.markLost(whose).catch(onLost)
  }

  async function putAway(
    session: SessionRecord,
    submission: SubmittedPictures,
    seen: readonly Observation[],
    tried: number,
  ): Promise<void> {
    const { part, fault } = await encodePart(session, submission, seen, tried)
    await vault.put(session, partName(services.now()), part)
    if (fault !== undefined) throw fault
  }

  async function remove(whose: SessionKey): Promise<void> {
    await blobs.remove(ownerOf(whose))
  }

  /** Removes a session's pictures if it has no record; returns true if it did. */
  async function removeOwnerless(owner: string): Promise<boolean> {
    if (await records.isOwned(owner)) return false
    await blobs.remove(owner)
    return true
  }

  async function finish(session: SessionRecord): Promise<void> {
    const read = await records.read(session)
    if (read === undefined) return remove(session)
    if (read.value.isKept) await vault.putTogether(session)
  }

  return { lose, putAway, remove, removeOwnerless, finish, read: vault.read }
}

/** Stores, reads and assembles sealed pictures. */
function createVault({ records, blobs }: Pick<Dependencies, 'records' | 'blobs'>) {
  const contextOf = (owner: string, name: string) => Buffer.from(`${owner}/${name}`)

  async function readKey(whose: SessionKey): Promise<Buffer | undefined> {
    const read = await records.read(whose)
    return read && records.keyOf(whose, read.value.key)
  }

  /**
   * [Note: Nothing comes after the end] If the record disappears while a picture is being stored, the process that stored
   * the picture removes it again.
   */
  async function put(whose: SessionKey, name: string, pictures: EvidencePictures): Promise<void> {
    const key = await readKey(whose)
    if (key === undefined) return
    const owner = ownerOf(whose)
    await blobs.put(owner, name, sealBytes(key, contextOf(owner, name), pack(pictures)))
    if ((await readKey(whose)) === undefined) await blobs.remove(owner)
  }

  async function read(whose: SessionKey): Promise<EvidencePictures | undefined> {
    const key = await readKey(whose)
    if (key === undefined) return undefined
    const owner = ownerOf(whose)
    const found = await blobs.get(owner)
    const parts = wholeFirst(found).map(({ name, bytes }) =>
      unpack(openBytes(key, contextOf(owner, name), bytes)),
    )
    return parts.length === 0 ? undefined : wholeOf(parts)
  }

  return {
    put,
    read,
    /** Replaces several blobs with one. */
    async putTogether(whose: SessionKey): Promise<void> {
      const names = (await blobs.get(ownerOf(whose))).map(({ name }) => name)
      const pictures = await read(whose)
      if (pictures === undefined) return
      await put(whose, whole, pictures)
      await blobs.remove(
        ownerOf(whose),
        names.filter((name) => name !== whole),
      )
    },
  }
}

/**
 * [Note: A part may come late] Another process may add a part after the evidence was assembled. It is read after the
 * assembled evidence, and pictures that are in both are used once.
 */
function wholeFirst<T extends { readonly name: string }>(found: readonly T[]): T[] {
  return [...found.filter(({ name }) => name === whole), ...found.filter(({ name }) => name !== whole)]
}

/** A part name that sorts by arrival time. */
function partName(now: number): string {
  return `part-${String(now).padStart(15, '0')}-${randomUUID().slice(0, 8)}`
}

/** Re-encodes a request's pictures for storage, and returns the first error if some of them fail. */
async function encodePart(
  { progress }: SessionRecord,
  submission: SubmittedPictures,
  seen: readonly Observation[],
  tried: number,
) {
  let fault: unknown
  const drawn = async <T extends { readonly bytes: Uint8Array }>(
    all: readonly T[],
    encode: (bytes: Uint8Array) => Promise<Uint8Array>,
  ) => {
    const done: (T & { readonly try: number })[] = []
    for (const one of all) {
      try {
        done.push({ ...one, try: tried, bytes: await encode(one.bytes) })
      } catch (error) {
        fault ??= error
      }
    }
    return done
  }
  const { pictures: sent, trail } = submission
  const chosen = choosePictures(sent, seen.slice(seen.length - sent.length), progress)
  const pictures = await drawn(chosen, encodePicture)
  const film = await drawn(thinned(trail), encodeFilmPicture)
  return { part: { pictures, film }, fault }
}
