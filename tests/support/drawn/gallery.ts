import { createCollection, indexFace } from '#shared/contract/recognition/recognition.ts'
import type { Host } from '../host.ts'
import { frameOf, type Scene } from './fake-picture.ts'

let collections = 0

/** A collection of its own; answers its id. */
export async function newCollection(host: Host): Promise<string> {
  const { collectionId } = await host.call(createCollection, {
    body: { collectionId: `collection ${++collections}` },
  })
  return collectionId
}

/** A picture as it stands in a request; each one is a picture of its own. */
export function imageOf(scene: Scene): { bytes: string } {
  return { bytes: frameOf(scene).bytes }
}

/** Adds the face of a scene to a collection; answers its id. */
export async function addFace(host: Host, collectionId: string, scene: Scene): Promise<string> {
  const { faceId } = await host.call(indexFace, { body: { collectionId, image: imageOf(scene) } })
  return faceId ?? ''
}
