import { type Change, type Changeable, changedFaces } from './changed-faces.ts'

/**
 * Gives a face another external id, or none, and removes the entry under the former one in the same commit. Undefined if
 * the face does not exist. It is reported as a new face, so that every process learns its id.
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
