import { createCollection, indexFace } from '#shared/contract/recognition/recognition.ts'
import type { Host } from '../host.ts'
import { frameOf, type Scene } from './fake-picture.ts'

let collections = 0

/** Creates a new collection and returns its id. */
export async function newCollection(host: Host): Promise<string> {
  const { collectionId } = await host.call(createCollection, {
    body: { collectionId: `collection ${++collections}` },
  })
  return collectionId
}

/** A picture as it appears in a request. No two pictures are alike. */
export function imageOf(scene: Scene): { bytes: string } {
  return { bytes: frameOf(scene).bytes }
}

/** Adds a scene's face to a collection, and returns its id. */
export async function addFace(host: Host, collectionId: string, scene: Scene): Promise<string> {
  const { faceId } = await host.call(indexFace, { body: { collectionId, image: imageOf(scene) } })
  return faceId ?? ''
}
