import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packs } from '#models/rules/packs.ts'
import { choicesOf } from '#server/app/demo/choices.ts'
import { readSettings } from '#server/app/settings.ts'
import { provenanceOf } from '#server/platform/running/provenance.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { compareFaceEmbeddings } from '#shared/contract/analysis/face-verification.ts'
import {
  createOrUpdateVerification,
  createVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import {
  createCollection,
  indexFace,
  searchFace,
  searchOrIndexFace,
} from '#shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { Problem } from '#shared/problem.ts'
import { addFace, imageOf } from '../../../support/drawn/gallery.ts'
import { type Host, startHost } from '../../../support/host.ts'

const verifiers = {
  liveness: { type: 'Verification' },
  age: { type: 'CalculationOnly' },
  gender: { type: 'CalculationOnly' },
  emotion: { type: 'CalculationOnly', purpose: 'To see.' },
} as const
const names = Object.keys(verifiers) as (keyof typeof verifiers)[]
const recognition = { faceRecognition: { type: 'CalculationOnly' } } as const
const off = { liveness: { type: 'Disabled' }, age: { type: 'Disabled' } } as const

let host: Host
beforeAll(async () => {
  host = await startHost({ ports: { pack: packs.conservative } })
})
afterAll(() => host.close())

const problemOf = (answer: Promise<unknown>): Promise<Problem> =>
  answer.then(
    () => Promise.reject(new Error('was not refused')),
    (problem) => problem,
  )
const unavailable = (pointer: string) => ({ pointer, message: expect.stringMatching(/^unavailableInPack: /) })

describe('a verification under the conservative pack', () => {
  test.each(names)('is refused with %s, wherever it is written', async (name) => {
    const verificationConfig = { verifierConfigs: { ...recognition, [name]: verifiers[name] } }
    const { verificationId } = await host.call(createVerification, { body: { name: `plain ${name}` } })
    const answers = [
      host.call(createVerification, { body: { name: `new ${name}`, verificationConfig } }),
      host.call(createOrUpdateVerification, { body: { name: `newer ${name}`, verificationConfig } }),
      host.call(updateVerification, { body: { verificationId, verificationConfig } }),
    ]
    for (const answer of answers) {
      const { status, code, errors } = await problemOf(answer)
      expect([status, code]).toEqual([400, 'invalid_request'])
      expect(errors).toEqual([unavailable(`#/verificationConfig/verifierConfigs/${name}/type`)])
    }
  })

  test('names everything that is missing at once', async () => {
    const body = { name: 'all', verificationConfig: { verifierConfigs: verifiers } }
    expect((await problemOf(host.call(createVerification, { body }))).errors).toHaveLength(names.length)
  })

  test('is accepted with what the pack supports, and with disabled parts', async () => {
    const body = { name: 'face', verificationConfig: { verifierConfigs: { ...recognition, ...off } } }
    await expect(host.call(createVerification, { body })).resolves.toHaveProperty('verificationId')
  })
})

describe('a session under the conservative pack', () => {
  test.each(names)('is refused with verifierConfigs of %s', async (name) => {
    const body = { verifierConfigs: { [name]: verifiers[name] } }
    const { status, errors } = await problemOf(host.call(createSession, { body }))
    expect(status).toBe(400)
    expect(errors).toEqual([unavailable(`#/verifierConfigs/${name}/type`)])
  })

  test('is refused if its verification is from another pack', async () => {
    const store = createMemoryStore()
    const before = await startHost({ store })
    const body = { name: 'before', verificationConfig: { verifierConfigs: verifiers } }
    const { verificationId } = await before.call(createVerification, { body })
    const after = await startHost({ store, ports: { pack: packs.conservative } })
    const args = { apiKey: before.apiKey, body: { verificationId } }
    const { status, errors } = await problemOf(after.call(createSession, args))
    expect(status).toBe(400)
    expect(errors).toEqual(names.map(() => unavailable('#/verificationId')))
    await Promise.all([before.close(), after.close()])
  })

  test('begins with what the pack supports, and its plan asks the page for nothing else', async () => {
    const { collectionId } = await host.call(createCollection, { body: { collectionId: 'sessions' } })
    const { capturePlan } = await host.call(createSession, {
      body: { verifierConfigs: recognition, collectionId },
    })
    expect(capturePlan.verifiers).toEqual({
      liveness: false,
      age: false,
      gender: false,
      faceRecognition: true,
      emotion: false,
    })
    expect(capturePlan.challenge).toBeNull()
  })
})

describe('a collection from another pack', () => {
  test.each([
    ['search', searchFace],
    ['index', indexFace],
    ['search-or-index', searchOrIndexFace],
  ])('is refused by %s, with the names of both models', async (_name, endpoint) => {
    const store = createMemoryStore()
    const before = await startHost({ store })
    const { collectionId } = await before.call(createCollection, { body: { collectionId: 'kept' } })
    await addFace(before, collectionId, { person: 'anna' })
    const after = await startHost({ store, ports: { pack: packs.conservative } })
    const body = { collectionId, image: imageOf({ person: 'anna' }) }
    const { status, errors } = await problemOf(after.call(endpoint, { apiKey: before.apiKey, body }))
    expect(status).toBe(400)
    expect(errors).toEqual([
      { pointer: '#/collectionId', message: expect.stringMatching(/fr-feature\/2.*dlib-face\/2/) },
    ])
    await Promise.all([before.close(), after.close()])
  })
})

test('verify-duplicate refuses age and gender without a network for them', async () => {
  const { status, errors } = await problemOf(
    host.call(verifyDuplicate, {
      query: { collectionName: 'doubles', includeDemographicalInfo: true },
      body: { imageData: imageOf({ person: 'anna' }).bytes },
    }),
  )
  expect(status).toBe(400)
  expect(errors).toEqual([unavailable('#/query/includeDemographicalInfo')])
})

test('compare-face-embeddings accepts only embeddings of the current model', async () => {
  const ones = (length: number) => new Array<number>(length).fill(1)
  const compare = (length: number) =>
    host.call(compareFaceEmbeddings, { body: { embedding1: ones(length), embedding2: ones(length) } })
  expect(await compare(128)).toEqual({ similarity: 100 })
  expect((await problemOf(compare(512))).errors.map(({ pointer }) => pointer)).toEqual([
    '#/embedding1',
    '#/embedding2',
  ])
})

describe('MODEL_PACK', () => {
  test('is standard unless it is set, and must be one of two', () => {
    expect(readSettings({}).pack).toBe(packs.standard)
    expect(readSettings({ MODEL_PACK: 'conservative' }).pack).toBe(packs.conservative)
    expect(() => readSettings({ MODEL_PACK: 'free' })).toThrow('MODEL_PACK')
  })

  test('has another pack next to it if FORMER_MODEL_PACK names one with another embedding', () => {
    const { pack } = readSettings({ FORMER_MODEL_PACK: 'conservative' })
    expect(pack).toEqual({ ...packs.standard, formerModel: packs.conservative.embeddingModel })
    expect(provenanceOf(pack)[1]).toContain(packs.conservative.embeddingModel)
    expect(() => readSettings({ FORMER_MODEL_PACK: 'extended' })).toThrow(
      /FORMER_MODEL_PACK: The standard pack/,
    )
    expect(() => readSettings({ FORMER_MODEL_PACK: 'free' })).toThrow('FORMER_MODEL_PACK')
  })

  test('leaves out roles without networks, and refuses them by name', () => {
    const [listener] = readSettings({ MODEL_PACK: 'conservative' }).listeners
    expect(listener?.roles).toEqual([
      'configuration',
      'security',
      'face-recognition',
      'face-verification',
      'verify',
    ])
    const named = { MODEL_PACK: 'conservative', ROLES: 'security,liveness' }
    expect(() => readSettings(named)).toThrow('ROLES: The conservative pack has no networks for liveness.')
    const listening = { MODEL_PACK: 'conservative', LISTEN: '8080:demographic,emotion-attention' }
    expect(() => readSettings(listening)).toThrow(/LISTEN: .* demographic, emotion-attention\./)
  })
})

test('the demo offers what the pack supports', () => {
  const offered = choicesOf(packs.conservative).map(({ options }) => options.map(({ value }) => value))
  expect(offered).toEqual([['off'], ['off'], ['remember', 'once', 'off']])
})

test('the first start shows where the networks come from', () => {
  expect(provenanceOf(packs.standard).join(' ')).toMatch(/standard pack.*unknown.*reviewed.*models\/weights/)
  expect(provenanceOf(packs.conservative).join(' ')).toMatch(/conservative pack.*not available/)
})
