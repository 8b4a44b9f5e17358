import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { ChangeLog } from '#server/features/recognition/store/change-log.ts'
import { type EnrolledFace, isComparable, reduceToModel } from '#server/features/recognition/store/face.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import type { Rotation } from './codes/rotation.ts'
import { hashPerson, sealRow } from './codes/sealed-row.ts'
import { codeText, signCode } from './codes/sign-code.ts'
import {
  erasedRevision,
  type FaceRow,
  type GalleryName,
  type GalleryState,
  readGallery,
  stepGallery,
  tellPlanner,
} from './gallery-rows.ts'
import { serverFor } from './near-rows.ts'
import type { Partition } from './partition.ts'

/** A gallery being loaded, and its sources. */
export interface GalleryFeed {
  readonly changeLog: ChangeLog
  readonly faceStore: FaceStore
  readonly place: Place
  readonly key: Buffer
  readonly name: GalleryName
  readonly model: EmbeddingModel
  readonly formerModel: EmbeddingModel | undefined
  readonly rotationOf: (model: EmbeddingModel) => Rotation
}

/** Faces read and written per step. */
const takenAtOnce = 500
/** The planner's statistics are updated after this many faces. */
const manyFaces = 5000
/** Changes read per step. */
const changesAtOnce = 50

/**
 * Loads faces into an incomplete gallery until it is complete or the time is up, and returns its state. Other processes may
 * do so at the same time; each step takes effect once. Before the gallery becomes complete, changes made in the meantime
 * are applied. Undefined if the log no longer has them, or another process is erasing the gallery. In that case it has
 * to be rebuilt.
 */
export async function fill(
  partition: Partition,
  feed: GalleryFeed,
  isOver: () => boolean,
): Promise<GalleryState | undefined> {
  const { faceStore, place, key, name } = feed
  for (;;) {
    const state = await readGallery(partition, name)
    if (state?.revision === erasedRevision) return undefined
    if (state === undefined || state.isWhole || isOver()) return state
    const faces = await faceStore.page(place, key, takenAtOnce, state.filledUntil || undefined)
    const isLast = faces.length < takenAtOnce
    const came = makeRows(partition, faces, feed)
    const to = { ...state, filledUntil: faces.at(-1)?.faceId ?? state.filledUntil, isWhole: isLast }
    const isMade = await stepGallery(partition, name, { from: state, to, went: [], came })
    if (isMade && isLast && state.newest + state.former > manyFaces)
      await tellPlanner(partition).catch(() => undefined)
  }
}

/**
 * Updates a gallery to its collection's revision from the change log. False if the log no longer has every change, or
 * another process is erasing the gallery. [Note: Applied twice is applied once] A face is written in its current stored
 * state; its later changes have later entries.
 */
export async function follow(
  partition: Partition,
  feed: GalleryFeed,
  state: GalleryState,
  revision: number,
): Promise<boolean> {
  const { changeLog, faceStore, place, key, name } = feed
  for (let from = state; from.revision < revision; ) {
    if (from.revision === erasedRevision) return false
    const until = Math.min(revision, from.revision + changesAtOnce)
    const numbers = Array.from({ length: until - from.revision }, (_, i) => from.revision + 1 + i)
    const changes = await Promise.all(numbers.map((number) => changeLog.read(place, number)))
    if (changes.includes(undefined)) return false
    const changedIn = new Map(
      changes.flatMap((change, i) =>
        [...change!.came, ...change!.went].map((id) => [id, numbers[i]!] as const),
      ),
    )
    const went = [...changedIn]
      .map(([faceId, number]) => ({ faceId, revision: number }))
      .filter(({ faceId }) => serverFor(faceId, partition.places) === partition.place)
    const read = await Promise.all(went.map(({ faceId }) => faceStore.get(place, key, faceId)))
    const came = makeRows(
      partition,
      read.filter((face) => face !== undefined),
      feed,
    )
    const to = { ...from, revision: until }
    const isMade = await stepGallery(partition, name, { from, to, went, came })
    const now = isMade ? to : await readGallery(partition, name)
    if (now === undefined) return false
    from = now
  }
  return true
}

/** The rows for the faces that belong on a server, by each face's newest model. Other models' faces are not searched. */
function makeRows(
  partition: Partition,
  faces: readonly EnrolledFace[],
  feed: GalleryFeed,
): readonly FaceRow[] {
  const { key, model, formerModel, rotationOf } = feed
  return faces.flatMap((enrolled): FaceRow[] => {
    if (serverFor(enrolled.faceId, partition.places) !== partition.place) return []
    const face = reduceToModel(enrolled, model)
    const by = [model, formerModel].find((one) => one !== undefined && isComparable(face, one))
    if (by === undefined) return []
    const { faceId, externalId, embedding } = face
    return [
      {
        faceId,
        isFormer: by !== model,
        model: by,
        code: codeText(signCode(rotationOf(by)(embedding))),
        person: hashPerson(key, externalId),
        sealed: sealRow(key, { faceId, externalId, embedding }),
      },
    ]
  })
}
