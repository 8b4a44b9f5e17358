import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import { getQuality } from '#shared/contract/analysis/face-quality.ts'
import { searchCandidates, updateFace } from '#shared/contract/recognition/named-faces.ts'
import {
  getAllFaces,
  indexFace,
  searchFace,
  searchOrIndexFace,
} from '#shared/contract/recognition/recognition.ts'
import { imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { problemOf } from '../../../../support/visit.ts'

let host: Host
let collectionId: string
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const anna = { person: 'anna' }
let people = 0
/** An id that no other test uses. */
const newId = () => `somebody ${++people}`

const index = async (externalId?: string | null, scene: Parameters<typeof imageOf>[0] = anna) => {
  const body = { collectionId, image: imageOf(scene), ...(externalId !== undefined && { externalId }) }
  return host.call(indexFace, { body })
}
const added = async (externalId?: string | null) => (await index(externalId)).faceId!
const nameOf = async (faceId: string) => {
  const { faces } = await host.call(getAllFaces, { query: { collectionId, limit: 100 } })
  return faces.find((face) => face.faceId === faceId)?.externalId
}
const facesOf = async (externalId: string) => {
  const { faces } = await host.call(getAllFaces, { query: { collectionId, externalId } })
  return faces.map(({ faceId }) => faceId)
}
const update = (faceId: string, externalId: string | null) =>
  host.call(updateFace, { body: { collectionId, faceId, externalId } })

beforeAll(async () => {
  collectionId = await newCollection(host)
})

describe('an external id of a face', () => {
  test('is stored with it, and several faces may share one', async () => {
    const id = newId()
    const faceIds = [await added(id), await added(id)]
    expect((await facesOf(id)).toSorted()).toEqual(faceIds.toSorted())
    expect(await nameOf(faceIds[0]!)).toBe(id)
  })

  test.each([[null], [undefined]])('%s is nobody', async (externalId) => {
    expect(await nameOf(await added(externalId))).toBeNull()
  })

  test('is the same in any Unicode form', async () => {
    const faceId = await added('Zo\u0065\u0308')
    expect(await nameOf(faceId)).toBe('Zo\u00eb')
    expect(await facesOf('Zo\u00eb')).toEqual([faceId])
    expect(await facesOf('Zo\u0065\u0308')).toEqual([faceId])
  })

  test('is returned by neither search nor index', async () => {
    const image = imageOf(anna)
    const answer = await index(newId())
    expect(Object.keys(answer).toSorted()).toEqual([
      'face',
      'faceId',
      'hasFace',
      'isComparable',
      'unprocessedFaceCount',
    ])
    const found = await host.call(searchFace, { body: { collectionId, image } })
    expect(Object.keys(found).toSorted()).toEqual([
      'face',
      'faceId',
      'hasFace',
      'isComparable',
      'unprocessedFaceCount',
    ])
  })

  test('of search-or-index is that of a new face; a known one keeps its own', async () => {
    collectionId = await newCollection(host)
    const search = (externalId: string) =>
      host.call(searchOrIndexFace, { body: { collectionId, image: imageOf(anna), externalId } })
    const [first, later] = [newId(), newId()]
    const { faceId, resultSource } = await search(first)
    expect(resultSource).toBe('Index')
    expect(await search(later)).toMatchObject({ faceId, resultSource: 'Search' })
    expect(await nameOf(faceId!)).toBe(first)
    expect(await facesOf(later)).toEqual([])
  })
})

describe('PUT /v1/face/update', () => {
  test('assigns a face to a person, to another one, and to none', async () => {
    const faceId = await added()
    const [one, other] = [newId(), newId()]
    expect(await update(faceId, one)).toEqual({ collectionId, faceId })
    expect([await nameOf(faceId), await facesOf(one)]).toEqual([one, [faceId]])
    await update(faceId, other)
    expect([await nameOf(faceId), await facesOf(one), await facesOf(other)]).toEqual([other, [], [faceId]])
    await update(faceId, null)
    expect([await nameOf(faceId), await facesOf(other)]).toEqual([null, []])
  })

  test('leaves the embedding, the date and other faces unchanged', async () => {
    const [faceId, beside] = [await added(newId()), await added('beside')]
    const at = async () => {
      const { faces } = await host.call(getAllFaces, { query: { collectionId, limit: 100 } })
      return faces.find((face) => face.faceId === faceId)?.created
    }
    const before = await at()
    const id = newId()
    await update(faceId, id)
    await update(faceId, id)
    expect(await at()).toBe(before)
    expect(await facesOf(id)).toEqual([faceId])
    expect(await nameOf(beside)).toBe('beside')
    const body = { collectionIds: [collectionId], image: imageOf(anna), maxCandidates: 100 }
    const { candidates } = await host.call(searchCandidates, { body })
    expect(candidates.find((one) => one.faceId === faceId)).toMatchObject({ externalId: id, similarity: 100 })
  })

  test('is seen at once by a process that holds the faces, also when searching by person', async () => {
    const other = await startHost({ store: host.store })
    const id = newId()
    const [own, given] = [await added(id), await added()]
    const body = {
      collectionIds: [collectionId],
      image: imageOf(anna),
      onePerExternalId: true,
      maxCandidates: 100,
    }
    const found = async () => {
      const { candidates } = await other.call(searchCandidates, { body, apiKey: host.apiKey })
      return candidates.map(({ faceId }) => faceId).filter((faceId) => [own, given].includes(faceId))
    }
    expect((await found()).length).toBe(2)
    await update(given, id)
    expect(await found()).toEqual([[own, given].toSorted()[0]])
    await update(given, null)
    expect((await found()).length).toBe(2)
    await other.close()
  })

  test('refuses a missing face or collection', async () => {
    expect(await problemOf(update('5f0c9a38-4d0e-4a0f-8d4e-0f3c1a7b2e64', 'x'))).toBe('not_found')
    const elsewhere = { collectionId: 'never there', faceId: await added(), externalId: 'x' }
    expect(await problemOf(host.call(updateFace, { body: elsewhere }))).toBe('not_found')
  })

  test('refuses an unknown name', async () => {
    const body = { collectionId, faceId: await added(), externalId: null, externalID: 'x' }
    expect(await problemOf(host.call(updateFace, { body } as never))).toBe('unknown_name')
  })
})

describe('a person with named faces', () => {
  test('has them in the export and loses them by the erasure, and no one else does', async () => {
    const [id, other] = [newId(), newId()]
    const [own, given, kept] = [await added(id), await added(other), await added(other)]
    await update(given, id)
    const { faces } = await host.call(exportPerson, { query: { externalId: id } })
    expect(faces.map(({ faceId }) => faceId).toSorted()).toEqual([own, given].toSorted())
    const { facesDeleted } = await host.call(deletePerson, { query: { externalId: id } })
    expect(facesDeleted).toBe(2)
    expect(await facesOf(id)).toEqual([])
    expect(await facesOf(other)).toEqual([kept])
    expect((await host.call(exportPerson, { query: { externalId: id } })).faces).toEqual([])
  })
})

describe('a quality gate', () => {
  const poor = { ...anna, frameQuality: 0.125, sharpness: 4 }
  const gated = (least: number, scene: Parameters<typeof imageOf>[0] = poor) =>
    host.call(indexFace, { body: { collectionId, image: imageOf(scene), qualityGate: { least } } })
  const count = async () => (await host.call(getAllFaces, { query: { collectionId } })).faceCount

  test('accepts a picture that just reaches it, and refuses one below', async () => {
    collectionId = await newCollection(host)
    expect(await gated(50)).toMatchObject({ hasFace: true, faceId: expect.any(String) })
    expect(await gated(50)).not.toHaveProperty('refusedBy')
    expect(await count()).toBe(2)
    const refused = await gated(50.5)
    expect(refused).toMatchObject({
      hasFace: true,
      faceId: null,
      unprocessedFaceCount: 0,
      face: expect.any(Object),
    })
    expect(await count()).toBe(2)
  })

  test('names poor components, the worst first', async () => {
    const scene = { ...poor, yaw: 60, frameQuality: 0.1 }
    const { refusedBy = [] } = await gated(51, scene)
    expect(refusedBy).toEqual(expect.arrayContaining(['sharpness', 'headPoseYaw']))
    expect(refusedBy).not.toContain('headPoseRoll')
    const { faces } = await host.call(getQuality, { body: { image: imageOf(scene) } })
    const scores = refusedBy.map((name) => faces[0]!.quality.components[name]!)
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    expect(Math.max(...scores)).toBeLessThan(50)
  })

  test('names nothing if each component is fair', async () => {
    const { refusedBy = [] } = await gated(51, { ...anna, frameQuality: 0.125 })
    expect(refusedBy).not.toContain('sharpness')
  })

  test('does not apply if there is no face', async () => {
    const none = await gated(100, { person: null })
    expect(none).toEqual({ face: null, faceId: null, hasFace: false, unprocessedFaceCount: 0 })
  })

  test('comes before the search, so that a known face is refused too', async () => {
    const body = { collectionId, image: imageOf(poor) }
    expect((await host.call(searchOrIndexFace, { body })).resultSource).toBe('Search')
    const refused = await host.call(searchOrIndexFace, { body: { ...body, qualityGate: { least: 51 } } })
    expect(refused).toMatchObject({ hasFace: true, faceId: null, resultSource: 'None' })
    expect(refused.refusedBy).toContain('sharpness')
  })
})
