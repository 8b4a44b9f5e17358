import { expect, test } from 'vitest'
import { sizeWarnings } from '#server/app/warnings/face-warnings.ts'
import { findOutgrown } from '#server/features/verifications/outgrown.ts'
import type { FaceRecognitionType } from '#shared/contract/configuration/verification-config.ts'

const accounts = { list: async () => [{ accountId: 'one' }] as never }
const model = 'fr-feature/2'

/** Verifications of each type that have this number of faces. Counts how many of the faces were examined. */
function deploymentOf(
  types: readonly FaceRecognitionType[],
  faces: number,
  collections: Readonly<Record<string, number>> = {},
) {
  const looked: string[] = []
  const verifications = {
    async *listReadable() {
      for (const type of types)
        yield {
          verificationId: type,
          name: `Check ${type}`,
          verificationConfig: { verifierConfigs: { faceRecognition: { type } } },
        } as never
    },
  }
  const facesOf = (collectionId: string) => collections[collectionId] ?? faces
  const access = {
    find: async (_: string, collectionId: string) =>
      ({ collectionId, galleryId: 'g', revision: facesOf(collectionId) }) as never,
    async *listReadable() {
      for (const collectionId of [...types, ...Object.keys(collections)]) yield { collectionId } as never
    },
    faceStore: {
      async *heads({ collectionId }: { collectionId: string }) {
        for (let i = 0; i < facesOf(collectionId); i++) {
          looked.push(collectionId)
          yield {} as never
        }
      },
    } as never,
  }
  return { verifications, access, looked }
}

const types = [
  'CalculationOnly',
  'MatchVerification',
  'DuplicateVerification',
  'UniqueMatchVerification',
] as const

test.each([
  [10_000, []],
  [10_001, ['DuplicateVerification', 'UniqueMatchVerification']],
])('with %i faces, of those that refuse duplicates these are named: %j', async (faces, named) => {
  const { verifications, access } = deploymentOf(types, faces)
  const found = await findOutgrown(accounts, verifications, access, model)
  expect(found.map((one) => 'verificationId' in one && one.verificationId)).toEqual(named)
})

test('collections of an account are named, those of verifications at most once', async () => {
  const collections = { members: 10_001, staff: 10_000, empty: 0 }
  const { verifications, access } = deploymentOf(types, 10_001, collections)
  const found = await findOutgrown(accounts, verifications, access, model)
  expect(found.flatMap((one) => ('collectionId' in one ? [one] : []))).toEqual([
    { accountId: 'one', collectionId: 'members', most: 10_000 },
  ])
  expect(found).toHaveLength(3)
  expect(sizeWarnings(found).at(-1)).toMatchObject({
    code: 'collection_outgrown',
    meaning: expect.stringMatching(/search-or-index in the collection "members".*more than 10000 faces/),
  })
})

test('faces are counted no further than necessary, and of no other verification', async () => {
  const { verifications, access, looked } = deploymentOf(types, 50_000)
  await findOutgrown(accounts, verifications, access, model)
  expect(looked).toHaveLength(2 * 10_001)
  expect(new Set(looked)).toEqual(new Set(['DuplicateVerification', 'UniqueMatchVerification']))
})

test('the start names them, with the number of faces from which it applies', async () => {
  const { verifications, access } = deploymentOf(types, 10_001)
  const outgrown = await findOutgrown(accounts, verifications, access, model)
  const warned = sizeWarnings(outgrown)
  expect(warned.map(({ code }) => code)).toEqual(['collection_outgrown', 'collection_outgrown'])
  expect(warned[0]!.meaning).toMatch(/"Check DuplicateVerification".*more than 10000 faces/)
})
