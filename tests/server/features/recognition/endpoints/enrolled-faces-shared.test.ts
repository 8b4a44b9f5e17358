import { beforeAll, expect, test } from 'vitest'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import { searchCandidates, updateFace } from '#shared/contract/recognition/named-faces.ts'
import { getAllFaces, indexFace } from '#shared/contract/recognition/recognition.ts'
import { imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { describeOnSharedStores } from '../../../../support/stores.ts'

describeOnSharedStores('faces with names', ({ open }) => {
  let one: Host
  let other: Host
  let apiKey: string
  beforeAll(async () => {
    one = await startHost({ store: await open() })
    other = await startHost({ store: await open() })
    apiKey = one.apiKey
    return async () => {
      await one.close()
      await other.close()
    }
  })

  test('are found, renamed, exported and erased, with each process seeing the other’s changes', async () => {
    const collectionId = await newCollection(one)
    const image = () => imageOf({ person: 'anna' })
    const index = async (externalId: string) =>
      (await one.call(indexFace, { body: { collectionId, image: image(), externalId } })).faceId!
    const candidates = async () => {
      const body = { collectionIds: [collectionId], image: image(), onePerExternalId: true }
      const found = await other.call(searchCandidates, { body, apiKey })
      return found.candidates.map(({ externalId }) => externalId).toSorted()
    }
    const [first] = [await index('a'), await index('a'), await index('b')]
    expect(await candidates()).toEqual(['a', 'b'])
    await one.call(updateFace, { body: { collectionId, faceId: first, externalId: 'c' } })
    expect(await candidates()).toEqual(['a', 'b', 'c'])
    const query = { collectionId, externalId: 'c' }
    const { faces } = await other.call(getAllFaces, { query, apiKey })
    expect(faces.map(({ faceId }) => faceId)).toEqual([first])
    const exported = await other.call(exportPerson, { query: { externalId: 'c' }, apiKey })
    expect(exported.faces.map(({ faceId }) => faceId)).toEqual([first])
    const erased = await other.call(deletePerson, { query: { externalId: 'a' }, apiKey })
    expect(erased.facesDeleted).toBe(1)
    expect(await candidates()).toEqual(['b', 'c'])
  })
})
