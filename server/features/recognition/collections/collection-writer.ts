import { type Change, type Changeable, changedFaces } from './collection-change.ts'

/**
 * Gives a face a different external ID, or none, and removes the former ID's entry in the same commit. Undefined if the
 * face does not exist. The face is reported as a new one, so that every process learns its ID.
 */
export async function renamed(
  opened: Changeable,
  faceId: string,
  externalId: string | null,
): Promise<Change | undefined> {
  const { faceStore, place } = opened
  const key = opened.key()
  const face = await faceStore.get(place, key, faceId)
  if (face === undefined) return undefined
  return changedFaces(opened, { came: [faceId] }, faceStore.rename(place, key, face, externalId))
}
