import { createKey, revokeKey } from '../../shared/contract/account/account.ts'
import {
  createCollection,
  deleteCollection,
  indexFace,
  searchFace,
} from '../../shared/contract/recognition/recognition.ts'
import { getUtcNow } from '../../shared/contract/security/security.ts'
import type { Caller } from './caller.ts'

/** How quickly another process sees a change: the number of attempts, and the milliseconds between the two answers. */
export interface Visibility {
  readonly asks: number
  readonly milliseconds: number
}

const mostAsks = 100

/** Indexes a face through one process and searches for it through another. */
export async function seeFace(one: Caller, other: Caller, bytes: string): Promise<Visibility> {
  const collectionId = await newCollection(one)
  const body = { image: { bytes }, collectionId }
  // The other process reads the collection first. It must not use this cached copy for its answer.
  await other.call(searchFace, { body })
  const { faceId } = await one.call(indexFace, { body })
  return until(async () => (await other.call(searchFace, { body })).faceId === faceId)
}

/** Deletes a collection through one process and requests it through another. */
export async function missCollection(one: Caller, other: Caller, bytes: string): Promise<Visibility> {
  const collectionId = await newCollection(one)
  const body = { image: { bytes }, collectionId }
  await one.call(indexFace, { body })
  await other.call(searchFace, { body })
  await one.call(deleteCollection, { query: { collectionId } })
  return until(() => isRefused(other.call(searchFace, { body }), 'not_found'))
}

/** Revokes a key through one process and uses it with another. */
export async function refuseKey(one: Caller, other: Caller): Promise<Visibility> {
  const { apiKey, keyId } = await one.call(createKey, { body: { name: 'short-lived', scopes: ['analyse'] } })
  await other.call(getUtcNow, { apiKey })
  await one.call(revokeKey, { query: { keyId } })
  return until(() => isRefused(other.call(getUtcNow, { apiKey }), 'unauthenticated'))
}

let collections = 0

async function newCollection(one: Caller): Promise<string> {
  const collectionId = `visible ${++collections}`
  await one.call(createCollection, { body: { collectionId } })
  return collectionId
}

async function until(isSeen: () => Promise<boolean>): Promise<Visibility> {
  const start = performance.now()
  for (let asks = 1; asks <= mostAsks; asks++) {
    if (await isSeen()) return { asks, milliseconds: performance.now() - start }
  }
  throw new Error(`Another process had not seen it after ${mostAsks} attempts.`)
}

async function isRefused(work: Promise<unknown>, code: string): Promise<boolean> {
  return work.then(
    () => false,
    (error) => error.code === code,
  )
}
