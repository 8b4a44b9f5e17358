import { cosineOf } from '#models/rules/similarity.ts'
import type { Templates } from '#models/rules/templates.ts'
import {
  type CollectionAccess,
  createCollectionAccess,
} from '#server/features/recognition/collections/collection-access.ts'
import { makeFace } from '#server/features/recognition/collections/dominant-face.ts'
import { refuseOtherModel } from '#server/features/recognition/collections/refuse-other-model.ts'
import { renewTemplate } from '#server/features/recognition/model-change/renew-template.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { accountId } from './collection-visitor.ts'
import { randomEmbedding } from './drawn/random-face.ts'

const formerModel = 'dlib-face/2'
const model = 'fr-feature/2'

/** Both models' embeddings for a person. People are numbers. */
export const seen = (person: number): Templates => ({
  first: randomEmbedding(person),
  former: randomEmbedding(person, 128),
})

/** The former model's embedding for a person, with this score against another one. */
export function formerAt(person: number, score: number): Float32Array {
  const own = randomEmbedding(person, 128)
  const other = randomEmbedding(person + 1_000_000, 128)
  const along = other.reduce((sum, value, i) => sum + value * own[i]!, 0)
  const across = other.map((value, i) => value - along * own[i]!)
  const length = Math.hypot(...across)
  const cosine = cosineOf(score, formerModel)
  return own.map((value, i) => cosine * value + (Math.sqrt(1 - cosine ** 2) * across[i]!) / length)
}

type Options = Parameters<typeof createCollectionAccess>[3]

/** How one process sees a store's collections. `as` selects its models. */
export function processOf(store: Store, as: 'before' | 'both' | 'after', options: Options = {}) {
  const models = { before: { model: formerModel }, both: { model, formerModel }, after: { model } } as const
  const access = createCollectionAccess(store, createKeyRing(Buffer.alloc(32, 1), 'EU'), Date.now, {
    ...options,
    ...models[as],
  })
  const templatesOf = (person: number) =>
    as === 'before' ? { first: randomEmbedding(person, 128) } : seen(person)
  return {
    access,
    add: (collectionId: string, people: readonly number[]) =>
      addTo(access, collectionId, people, templatesOf),
    /** The person that a search finds, and the changes caused by the match. */
    search: (collectionId: string, templates: Templates, atLeast = 80) =>
      access.change(accountId, collectionId, async (collection, writer) => {
        refuseOtherModel(collection, '#/collectionId')
        const hit = await collection.closest(templates, atLeast)
        const change = await renewTemplate(collection, writer, hit, templates)
        return { answer: hit?.face.faceId, ...(change && { change }) }
      }),
    /** The number of faces per set of models. */
    async models(collectionId: string): Promise<Record<string, number>> {
      const counts: Record<string, number> = {}
      const place = await access.use(accountId, collectionId, async (collection) => collection.place)
      for await (const { embeddingModel, newerModel } of access.faceStore.heads(place)) {
        const named = [embeddingModel, newerModel].filter(Boolean).join(' and ')
        counts[named] = (counts[named] ?? 0) + 1
      }
      return counts
    },
  }
}

function addTo(
  access: CollectionAccess,
  collectionId: string,
  people: readonly number[],
  templatesOf: (person: number) => Templates,
): Promise<readonly string[]> {
  return access.change(accountId, collectionId, async (collection, writer) => {
    refuseOtherModel(collection, '#/collectionId')
    const faces = people.map((person) => makeFace(`person ${person}`, templatesOf(person), collection.models))
    const change = writer.addSeveral(faces)
    return { answer: change.faceIds, change }
  })
}
