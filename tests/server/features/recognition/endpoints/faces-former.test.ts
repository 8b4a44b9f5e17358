import { afterAll, beforeAll, expect, test } from 'vitest'
import { packs, withFormer } from '#models/rules/packs.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { exportPerson } from '#shared/contract/account/person.ts'
import { searchFace, searchOrIndexFace } from '#shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { createFakeAnalysis, embeddingOf } from '../../../../support/drawn/fake-analysis.ts'
import { imageOf, newCollection } from '../../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../../support/host.ts'

const formerOf = (person: string) => Float32Array.from(embeddingOf(person).slice(0, 128), (value) => value)

/** The fake analysis, with an additional embedding from the former model. */
function analysisOfBoth(): AnalysisService {
  const fake = createFakeAnalysis()
  return {
    ...fake,
    parallel: 2,
    async analyse(picture, wanted, payer) {
      const seen = await fake.analyse(picture, wanted, payer)
      return seen.face === undefined
        ? seen
        : { ...seen, face: { ...seen.face, formerEmbedding: formerOf(people[0]) } }
    },
    close: async () => {},
  }
}
const people = [firstWithin(128)] as const

/** A name with a fake embedding that also fits into the shorter one. */
function firstWithin(length: number): string {
  for (let i = 0; ; i++) if (embeddingOf(`p${i}`).indexOf(1) < length) return `p${i}`
}

let host: Host
let collectionId: string
let faceId: string
beforeAll(async () => {
  const pack = withFormer(packs.standard, 'conservative')
  host = await startHost({ store: createMemoryStore(), ports: { pack, analysis: analysisOfBoth() } })
})
afterAll(() => host.close())

/** A collection with one face, as the former model left it. */
async function oldCollection() {
  collectionId = await newCollection(host)
  const { access } = host.services.recognition
  const embeddingModel = packs.conservative.embeddingModel
  faceId = await access.change(host.accountId, collectionId, async (_, writer) => {
    const face = { externalId: collectionId, embeddingModel, embedding: formerOf(people[0]) }
    const added = writer.add(face)
    return { answer: added.faceId, change: added }
  })
}

const modelsOf = async () => {
  const { faces } = await host.call(exportPerson, { query: { externalId: collectionId } })
  return faces.map(({ embeddingModel, embedding }) => `${embeddingModel} ${embedding.length}`)
}

const image = () => imageOf({ person: people[0] })

test.each([
  ['face/search', () => host.call(searchFace, { body: { collectionId, image: image() } })],
  ['face/search-or-index', () => host.call(searchOrIndexFace, { body: { collectionId, image: image() } })],
  [
    'verify-duplicate',
    () =>
      host.call(verifyDuplicate, {
        query: { collectionName: collectionId, includeDemographicalInfo: false },
        body: { imageData: image().bytes },
      }),
  ],
])(
  '%s finds a face of the former model and adds the new embedding, which appears in the person’s export',
  async (_, find) => {
    await oldCollection()
    expect(await modelsOf()).toEqual(['dlib-face/2 128'])
    expect(await find()).toMatchObject({ faceId })
    expect(await modelsOf()).toEqual(['dlib-face/2 128', 'fr-feature/2 512'])
  },
)
