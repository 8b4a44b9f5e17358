import { addFace, imageOf, newCollection } from '../../support/drawn/gallery.ts'
import type { Host } from '../../support/host.ts'
import type { Cases, Limits, Make } from '../contract-case.ts'

let ids = 0
/** An id that no other collection uses, optionally with a given length. */
const newId = (length?: number) => `contract ${++ids}`.padEnd(length ?? 0, '-')
const anna = { person: 'anna' }

const withoutKey =
  (request: object): Make =>
  () =>
    request
const withoutScope =
  (request: object): Make =>
  async ({ keyWith }) => ({ ...request, authorization: await keyWith('analyse') })

/** The three endpoints that take a picture and a collection give the same answers. */
const ofPictures: Cases[string] = {
  200: async ({ host, key }) => ({
    authorization: key,
    body: { collectionId: await newCollection(host), image: imageOf(anna) },
  }),
  400: async ({ host, key }) => ({
    authorization: key,
    body: { collectionId: await newCollection(host), image: { bytes: 'AAAA' } },
  }),
  401: withoutKey({ body: { collectionId: 'x', image: imageOf(anna) } }),
  403: withoutScope({ body: { collectionId: 'x', image: imageOf(anna) } }),
  404: ({ key }) => ({ authorization: key, body: { collectionId: 'x', image: { bytes: 'AAAA' } } }),
}

export const recognitionCases: Cases = {
  getCollection: {
    200: async ({ host, key }) => ({
      authorization: key,
      query: { collectionId: await newCollection(host) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: withoutKey({ query: { collectionId: 'x' } }),
    403: withoutScope({ query: { collectionId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { collectionId: 'x' } }),
  },
  getAllCollections: {
    200: async ({ host, key }) => {
      await newCollection(host)
      return { authorization: key }
    },
    400: ({ key }) => ({ authorization: key, rawQuery: '?a=%ff' }),
    401: withoutKey({}),
    403: withoutScope({}),
  },
  createCollection: {
    200: ({ key }) => ({ authorization: key, body: { collectionId: newId() } }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: withoutKey({ body: { collectionId: 'x' } }),
    403: withoutScope({ body: { collectionId: 'x' } }),
    409: async ({ host, key }) => ({
      authorization: key,
      body: { collectionId: await newCollection(host) },
    }),
  },
  updateCollection: {
    200: async ({ host, key }) => ({
      authorization: key,
      body: { collectionId: await newCollection(host), description: 'new' },
    }),
    400: ({ key }) => ({ authorization: key, body: { collectionId: 'x', description: 1 } }),
    401: withoutKey({ body: { collectionId: 'x' } }),
    403: withoutScope({ body: { collectionId: 'x' } }),
    404: ({ key }) => ({ authorization: key, body: { collectionId: 'x' } }),
  },
  deleteCollection: {
    200: ({ key }) => ({ authorization: key, query: { collectionId: 'x' } }),
    400: ({ key }) => ({ authorization: key }),
    401: withoutKey({ query: { collectionId: 'x' } }),
    403: withoutScope({ query: { collectionId: 'x' } }),
  },
  searchFace: ofPictures,
  indexFace: ofPictures,
  searchOrIndexFace: ofPictures,
  searchCandidates: {
    200: async ({ host, key }) => {
      const [one, other] = [await newCollection(host), await newCollection(host)]
      await addFace(host, one, anna)
      await addFace(host, other, anna)
      return { authorization: key, body: { collectionIds: [one, other], image: imageOf(anna) } }
    },
    400: async ({ host, key }) => ({
      authorization: key,
      body: { collectionIds: [await newCollection(host)], image: { bytes: 'AAAA' } },
    }),
    401: withoutKey({ body: { collectionIds: ['x'], image: imageOf(anna) } }),
    403: async ({ keyWith }) => ({
      authorization: await keyWith('analyse', 'tokens'),
      body: { collectionIds: ['x'], image: imageOf(anna) },
    }),
    404: async ({ host, key }) => ({
      authorization: key,
      body: { collectionIds: [await newCollection(host), 'x'], image: { bytes: 'AAAA' } },
    }),
  },
  updateFace: {
    200: async ({ host, key }) => {
      const collectionId = await newCollection(host)
      const faceId = await addFace(host, collectionId, anna)
      return { authorization: key, body: { collectionId, faceId, externalId: 'anna' } }
    },
    400: ({ key }) => ({ authorization: key, body: { collectionId: 'x', faceId: 'x' } }),
    401: withoutKey({ body: { collectionId: 'x', faceId: 'x', externalId: null } }),
    403: withoutScope({ body: { collectionId: 'x', faceId: 'x', externalId: null } }),
    404: async ({ host, key }) => ({
      authorization: key,
      body: { collectionId: await newCollection(host), faceId: 'x', externalId: null },
    }),
  },
  getAllFaces: {
    200: async ({ host, key }) => {
      const collectionId = await newCollection(host)
      await addFace(host, collectionId, anna)
      return { authorization: key, query: { collectionId } }
    },
    400: ({ key }) => ({ authorization: key, query: { collectionId: 'x', limit: '0' } }),
    401: withoutKey({ query: { collectionId: 'x' } }),
    403: withoutScope({ query: { collectionId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { collectionId: 'x' } }),
  },
  deleteFace: {
    200: async ({ host, key }) => {
      const collectionId = await newCollection(host)
      return { authorization: key, query: { collectionId, faceId: await addFace(host, collectionId, anna) } }
    },
    400: ({ key }) => ({ authorization: key, query: { collectionId: 'x' } }),
    401: withoutKey({ query: { collectionId: 'x', faceId: 'x' } }),
    403: withoutScope({ query: { collectionId: 'x', faceId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { collectionId: 'x', faceId: 'x' } }),
  },
}

const faceMatchThreshold: Limits[string][number] = {
  says: 'interface: faceMatchThreshold, integer 0-100',
  within: [0, 100, undefined, null],
  beyond: [-1, 101, 80.5, '80'],
  pointer: '#/faceMatchThreshold',
  send: async ({ host, key }, threshold: unknown) => ({
    authorization: key,
    body: {
      collectionId: await newCollection(host),
      image: imageOf(anna),
      faceMatchThreshold: threshold,
    },
  }),
}

/** An external id. Its length is counted in characters as people see them. */
const names = {
  says: 'ours: external ids of 1 to 512 characters, without control characters; null is nobody',
  within: ['x', 'x'.repeat(512), '\u{1F642}'.repeat(512), null],
  beyond: ['', ' ', 'x'.repeat(513), '\u{1F642}'.repeat(513), 'a\u0000', 'a\nb', 'a\ud83d', 7, ['x']],
  pointer: '#/externalId',
} as const

const nameOfFace: Limits[string][number] = {
  ...names,
  within: [...names.within, undefined],
  send: async ({ host, key }, externalId: unknown) => ({
    authorization: key,
    body: { collectionId: await newCollection(host), image: imageOf(anna), externalId },
  }),
}

const leastQuality: Limits[string][number] = {
  says: 'ours: qualityGate.least 0 to 100',
  within: [0, 100, 49.5],
  beyond: [-1, 101, '50', null, undefined],
  pointer: '#/qualityGate/least',
  send: async ({ host, key }, least: unknown) => ({
    authorization: key,
    body: { collectionId: await newCollection(host), image: imageOf(anna), qualityGate: { least } },
  }),
}

/** One of search-candidates' members. */
function candidates(
  name: string,
  says: string,
  { within, beyond }: Pick<Limits[string][number], 'within' | 'beyond'>,
): Limits[string][number] {
  return {
    says,
    within,
    beyond,
    pointer: `#/${name}`,
    send: async ({ host, key }, value: unknown) => ({
      authorization: key,
      body: { image: imageOf(anna), collectionIds: [await newCollection(host)], [name]: value },
    }),
  }
}

const newCollections = (host: Host, count: number) =>
  Promise.all(Array.from({ length: count }, () => newCollection(host)))

const description = {
  says: 'interface: collection description, max length 1024, nullable',
  within: ['', 'x'.repeat(1024), 'é'.repeat(1024), '\u{1F642}'.repeat(1024), null, undefined],
  beyond: ['x'.repeat(1025), '\u{1F642}'.repeat(1025), 7, ['x']],
  pointer: '#/description',
} as const

export const recognitionLimits: Limits = {
  createCollection: [
    {
      says: 'interface: collection id, max length 512; of any characters',
      within: [1, 512],
      beyond: [513],
      pointer: '#/collectionId',
      send: ({ key }, length: number) => ({
        authorization: key,
        body: { collectionId: length === 1 ? '/' : newId(length) },
      }),
    },
    {
      says: 'a collection has an id',
      within: ['? &#%/\u{1F642}', '\u{1F642}'.repeat(512)],
      beyond: ['', ' x', null, 7, ['x'], '\u0000', 'a\nb', 'a\ud83d', 'a\u200bb'],
      pointer: '#/collectionId',
      send: ({ key }, collectionId: unknown) => ({ authorization: key, body: { collectionId } }),
    },
    {
      ...description,
      send: ({ key }, text: unknown) => ({
        authorization: key,
        body: { collectionId: newId(), description: text },
      }),
    },
  ],
  updateCollection: [
    {
      ...description,
      send: async ({ host, key }, text: unknown) => ({
        authorization: key,
        body: { collectionId: await newCollection(host), description: text },
      }),
    },
  ],
  searchFace: [faceMatchThreshold],
  indexFace: [nameOfFace, leastQuality],
  searchOrIndexFace: [faceMatchThreshold, nameOfFace, leastQuality],
  searchCandidates: [
    {
      says: 'ours: up to ten collections',
      within: [1, 10],
      beyond: [0, 11],
      pointer: '#/collectionIds',
      send: async ({ host, key }, count: number) => ({
        authorization: key,
        body: { image: imageOf(anna), collectionIds: await newCollections(host, count) },
      }),
    },
    {
      says: 'ours: a collection once',
      within: [1],
      beyond: [2],
      pointer: '#/collectionIds',
      send: async ({ host, key }, times: number) => ({
        authorization: key,
        body: { image: imageOf(anna), collectionIds: new Array(times).fill(await newCollection(host)) },
      }),
    },
    candidates('faceMatchThreshold', 'ours: faceMatchThreshold 0 to 100', {
      within: [0, 100, undefined],
      beyond: [-1, 101, 80.5, '80', null],
    }),
    candidates('maxCandidates', 'ours: 1 to 100 candidates', {
      within: [1, 100, undefined],
      beyond: [0, 101, 1.5, '1', null],
    }),
    candidates('onePerExternalId', 'ours: yes or no', {
      within: [true, false, undefined],
      beyond: ['true', 1, null],
    }),
  ],
  updateFace: [
    {
      ...names,
      beyond: [...names.beyond, undefined],
      send: async ({ host, key }, externalId: unknown) => {
        const collectionId = await newCollection(host)
        const faceId = await addFace(host, collectionId, anna)
        return { authorization: key, body: { collectionId, faceId, externalId } }
      },
    },
  ],
}
