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

/** A picture in the form of a request; no two are alike. */
export function imageOf(scene: Scene): { bytes: string } {
  return { bytes: frameOf(scene).bytes }
}

/** Adds the face of a scene to a collection; returns its id. */
export async function addFace(host: Host, collectionId: string, scene: Scene): Promise<string> {
  const { faceId } = await host.call(indexFace, { body: { collectionId, image: imageOf(scene) } })
  return faceId ?? ''
}
