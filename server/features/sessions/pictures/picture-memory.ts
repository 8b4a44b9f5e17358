import { createHmac } from 'node:crypto'
import type { Analysis } from '#models/rules/analysis.ts'
import type { Reuse } from '#models/rules/observation.ts'
import {
  retentionInMilliseconds,
  type SessionRecord,
} from '#server/features/sessions/records/session-record.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createBatcher } from '#server/platform/store/batcher.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createKnownPictures } from './known-pictures.ts'
import { createPictureLog, type LoggedPicture, type NewPicture, type PicturePlace } from './picture-log.ts'
import { keyedSigns, project } from './picture-signature.ts'

/** The session that a picture belongs to. The picture is forgotten with it. */
export type PictureOwner = Pick<SessionRecord, 'sessionId' | 'created'>

/** Remembers each picture's session, whichever process received it, but never the picture itself. */
export interface PictureMemory {
  /** Compares the picture with other sessions' pictures, and remembers it for this session. */
  findReuse(owner: PictureOwner, jpegBytes: Uint8Array, analysis: Analysis): Promise<Reuse>
  /** Forgets all of these sessions' pictures. Other processes do so when they catch up. */
  forget(sessionIds: readonly string[]): Promise<void>
  /** Applies the changes that other processes made. Called in every sweep; each picture lookup does the same. */
  catchUp(): Promise<void>
}

/**
 * [Note: Pictures are known by 128 numbers] A hash of the bytes finds a picture that is sent again unchanged. A re-encoded
 * or scaled picture is found by 128 keyed projections of its 32 x 32 luminances. Taking another picture of the same scene
 * changes the light more than encoding does, so the test is the gain between two pictures. The projections do not show a
 * face; they are sealed at rest and forgotten after 7 days.
 */
export function createPictureMemory(store: Store, keyRing: KeyRing, now: Clock): PictureMemory {
  const key = keyRing.derive('picture-memory')
  const projection = keyedSigns(key)
  const log = createPictureLog(store, keyRing, now)
  const known = createKnownPictures(log, now)

  const remember = createBatcher(async (_log, pictures: readonly NewPicture[]) => {
    const { noted, end } = await log.add(pictures)
    const entries = pictures.map((picture, i) => entryOf(picture, noted[i]!))
    await known.follow(
      end,
      entries.filter((entry) => entry !== undefined),
    )
    const reuses: Reuse[] = []
    for (const [i, { sessionId }] of pictures.entries()) {
      const entry = entries[i]
      if (noted[i]!.sessionId !== sessionId) reuses.push('same')
      else reuses.push(entry === undefined ? 'none' : await known.findReuse(entry))
    }
    return reuses
  })

  return {
    async findReuse({ sessionId, created }, jpegBytes, { sceneSignature: print }) {
      return remember('', {
        sessionId,
        until: created + retentionInMilliseconds,
        hash: createHmac('sha256', key).update(jpegBytes).digest('base64url'),
        numbers: print && Float32Array.from(project(print, projection)),
      })
    },
    async forget(sessionIds) {
      for (const sessionId of sessionIds) await log.forget(sessionId)
      await known.catchUp()
    },
    catchUp: known.catchUp,
  }
}

/** The entry for a picture from the same session; undefined if it has none, or belongs to another session. */
function entryOf(
  { numbers, until, sessionId }: NewPicture,
  { sessionId: owner, sequence }: PicturePlace,
): LoggedPicture | undefined {
  if (sequence === null || numbers === undefined || owner !== sessionId) return undefined
  return { sequence, sessionId, until, numbers }
}
