import { beforeEach, describe, expect, test } from 'vitest'
import {
  type PersonQuestion,
  recognisePerson,
} from '#server/features/recognition/endpoints/recognise-person.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { accountId } from '../../../../support/collection-visitor.ts'
import { processOf, seen } from '../../../../support/two-models.ts'

let store: Store
let both: ReturnType<typeof processOf>
let faceIds: readonly string[]
beforeEach(async () => {
  store = createMemoryStore()
  faceIds = await processOf(store, 'before').add('c', [0, 1])
  both = processOf(store, 'both')
})

const portraits = (person: number) => ({
  portrait: Array.from(seen(person).first),
  formerPortrait: Array.from(seen(person).former!),
})
const ask = (question: Partial<PersonQuestion>, access = both.access) =>
  access.use(accountId, question.collectionId ?? 'c', async (collection, writer) => {
    const answer = await recognisePerson(collection, writer, {
      ...({ collectionId: 'c', type: 'CalculationOnly', externalId: null, enroll: true } as const),
      ...portraits(0),
      ...question,
    })
    expect(await store.commit(answer.writes, answer.guards)).toBe(true)
    return answer
  })

describe('a session with a collection of the former model', () => {
  test.each([
    ['CalculationOnly', null],
    ['DuplicateVerification', 'duplicateFace'],
    ['MatchVerification', null],
    ['UniqueMatchVerification', null],
  ] as const)('%s finds the face, and adds the new embedding', async (type, reason) => {
    const answer = await ask({ type, externalId: 'person 0' })
    expect(answer).toMatchObject({ reason, faceId: faceIds[0] })
    expect(await both.models('c')).toEqual({ 'dlib-face/2': 1, 'dlib-face/2 and fr-feature/2': 1 })
  })

  test('distinguishes a face with only the former embedding from another id', async () => {
    const answer = await ask({ type: 'UniqueMatchVerification', externalId: 'person 0', ...portraits(1) })
    expect(answer).toMatchObject({ reason: 'faceMismatch', faceId: null })
    const unknown = await ask({ type: 'UniqueMatchVerification', externalId: 'nobody', ...portraits(1) })
    expect(unknown).toMatchObject({ reason: 'duplicateFace', faceId: null })
    expect(await both.models('c')).toEqual({ 'dlib-face/2': 2 })
  })

  test('enrols a new person with both embeddings', async () => {
    const answer = await ask({ externalId: 'person 9', ...portraits(9) })
    expect(answer.faceId).not.toBeNull()
    expect(await both.models('c')).toEqual({ 'dlib-face/2': 2, 'dlib-face/2 and fr-feature/2': 1 })
  })

  test.each([
    ['has no portrait by the former one', { formerPortrait: undefined }],
    ['has another one', { formerPortrait: [1, 0] }],
    ['has a portrait of another length', { portrait: [1, 0] }],
  ])('a visit that began under other networks fails: it %s', async (_, portrait) => {
    const answer = await ask(portrait)
    expect(answer).toMatchObject({ reason: 'lowQuality', faceId: null, writes: [] })
  })
})

test('a visit that began under another model adds nothing to a collection', async () => {
  const after = processOf(store, 'after')
  const asked = { collectionId: 'new', portrait: Array.from(seen(0).former!), formerPortrait: undefined }
  expect(await ask(asked, after.access)).toMatchObject({ reason: 'lowQuality', writes: [] })
})
