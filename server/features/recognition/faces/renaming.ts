import { type Change, type Changeable, changedFaces } from './changed-faces.ts'

/**
 * Gives a face another external id, or none: what finds it by the former one goes in the same commit. Undefined where there is no such
 * face. It is reported as one that came, so that every process learns whose it is.
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
