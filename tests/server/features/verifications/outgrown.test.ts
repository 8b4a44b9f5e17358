import { expect, test } from 'vitest'
import { readSettings } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings.ts'
import { findOutgrown } from '#server/features/verifications/outgrown.ts'
import type { FaceRecognitionType } from '#shared/contract/configuration/verification-config.ts'

const accounts = { list: async () => [{ accountId: 'one' }] as never }
const model = 'fr-feature/2'

/** Verifications of each type, all with so many faces; how many of them were looked at is counted. */
function deploymentOf(types: readonly FaceRecognitionType[], faces: number) {
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
  const access = {
    find: async (_: string, collectionId: string) =>
      ({ collectionId, galleryId: 'g', revision: faces }) as never,
    faceStore: {
      async *heads({ collectionId }: { collectionId: string }) {
        for (let i = 0; i < faces; i++) {
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
  expect(found.map(({ verificationId }) => verificationId)).toEqual(named)
})

test('faces are counted no further than it takes, and of no other verification', async () => {
  const { verifications, access, looked } = deploymentOf(types, 50_000)
  await findOutgrown(accounts, verifications, access, model)
  expect(looked).toHaveLength(2 * 10_001)
  expect(new Set(looked)).toEqual(new Set(['DuplicateVerification', 'UniqueMatchVerification']))
})

test('the start says which, and from how many faces on', async () => {
  const { verifications, access } = deploymentOf(types, 10_001)
  const outgrown = await findOutgrown(accounts, verifications, access, model)
  const found = { opensWithFormer: false, adminKeyInWebhooks: false, outgrown }
  const warned = warningsOf(readSettings({}), false, found)
  expect(warned.map(({ code }) => code)).toEqual(['collection_outgrown', 'collection_outgrown'])
  expect(warned[0]!.meaning).toMatch(/"Check DuplicateVerification".*more than 10000 faces/)
})
