import { updateAccount } from '#shared/contract/account/account.ts'
import { createCollection } from '#shared/contract/recognition/recognition.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { newVerification, openSession, submit } from '../../support/visit.ts'
import type { CaseRequest, Cases, Limits } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

async function opened({ host }: Setting): Promise<string> {
  return (await openSession(host, await newVerification(host))).verificationSessionId
}

async function completed({ host }: Setting): Promise<string> {
  const session = await openSession(host, await newVerification(host))
  await submit(host, session, { person: 'anna' })
  return session.verificationSessionId
}

const byKey = async (setting: Setting, id: Promise<string>, more = {}): Promise<CaseRequest> => ({
  authorization: setting.key,
  body: { verificationSessionId: await id, ...more },
})

const unknown = { verificationSessionId: 'x' }
const decision = { decision: 'Pass' }
const range = { from: '2027-01-01', to: '2027-01-02', interval: 'day' }

/** A session whose face may be added to a collection of faces that must not pass. */
async function deniable({ host }: Setting) {
  const { collectionId } = await host.call(createCollection, { body: { collectionId: `denied-${++denied}` } })
  const faceRecognition = { type: 'CalculationOnly' as const, denyCollectionIds: [collectionId] }
  const session = await openSession(
    host,
    await newVerification(host, { verifierConfigs: { faceRecognition } }),
  )
  await submit(host, session, { person: 'anna' })
  return { verificationSessionId: session.verificationSessionId, collectionId, expiresInDays: 30 }
}
let denied = 0

/** A reviewed session that waits for the opinion of anyone but its reviewer. */
async function awaitingOpinion(setting: Setting): Promise<string> {
  const { host } = setting
  await host.call(updateAccount, { body: { secondOpinionPercent: 100 } })
  const verificationSessionId = await completed(setting)
  await host.call(reviewSession, { body: { verificationSessionId, decision: 'Fail' } })
  await host.call(updateAccount, { body: { secondOpinionPercent: 0 } })
  return verificationSessionId
}

const denying = { ...unknown, collectionId: 'c', expiresInDays: 1 }
const assigning = { verificationSessionIds: ['x'], reviewer: 'Kim' }
const week = { from: '2027-01-01', to: '2027-01-08' }

export const sessionListCases: Cases = {
  getSimilarSessions: {
    200: async (setting) => ({
      authorization: setting.key,
      query: { verificationSessionId: await completed(setting) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: unknown }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure'), query: unknown }),
    404: ({ key }) => ({ authorization: key, query: unknown }),
  },
  denyFace: {
    200: async (setting) => ({ authorization: setting.key, body: await deniable(setting) }),
    400: ({ key }) => ({ authorization: key, body: unknown }),
    401: () => ({ body: denying }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure'), body: denying }),
    404: ({ key }) => ({ authorization: key, body: denying }),
  },
  assignReview: {
    200: async (setting) => ({
      authorization: setting.key,
      body: { ...assigning, verificationSessionIds: [await completed(setting)] },
    }),
    400: ({ key }) => ({ authorization: key, body: { verificationSessionIds: [], reviewer: null } }),
    401: () => ({ body: assigning }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure'), body: assigning }),
  },
  getReviewCounts: {
    200: ({ key }) => ({ authorization: key, query: week }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: week }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure'), query: week }),
  },
  getSecondOpinions: {
    200: async (setting) => {
      await awaitingOpinion(setting)
      return { authorization: await setting.keyWith('review') }
    },
    400: ({ key }) => ({ authorization: key, query: { by: 'Kim' } }),
    401: () => ({}),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure') }),
  },
  giveSecondOpinion: {
    200: async (setting) => ({
      authorization: await setting.keyWith('review'),
      body: { verificationSessionId: await awaitingOpinion(setting), ...decision },
    }),
    400: ({ key }) => ({ authorization: key, body: unknown }),
    401: () => ({ body: { ...unknown, ...decision } }),
    403: async ({ keyWith }) => ({
      authorization: await keyWith('configure'),
      body: { ...unknown, ...decision },
    }),
    404: ({ key }) => ({ authorization: key, body: { ...unknown, ...decision } }),
    409: (setting) => byKey(setting, awaitingOpinion(setting), decision),
  },

  getSessions: {
    200: ({ key }) => ({ authorization: key }),
    400: ({ key }) => ({ authorization: key, query: { status: 'Created' } }),
    401: () => ({}),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse') }),
  },
  cancelSession: {
    200: (setting) => byKey(setting, opened(setting)),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ body: unknown }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), body: unknown }),
    404: ({ key }) => ({ authorization: key, body: unknown }),
    409: (setting) => byKey(setting, completed(setting)),
  },
  reviewSession: {
    200: (setting) => byKey(setting, completed(setting), decision),
    400: ({ key }) => ({ authorization: key, body: unknown }),
    401: () => ({ body: { ...unknown, ...decision } }),
    403: async ({ keyWith }) => ({
      authorization: await keyWith('configure'),
      body: { ...unknown, ...decision },
    }),
    404: ({ key }) => ({ authorization: key, body: { ...unknown, ...decision } }),
    409: (setting) => byKey(setting, opened(setting), decision),
  },
  getUsage: {
    200: ({ key }) => ({ authorization: key, query: { ...range, splitBy: 'device' } }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: range }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('analyse'), query: range }),
  },
  exportPerson: {
    200: ({ key }) => ({ authorization: key, query: { externalId: 'user' } }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { externalId: 'user' } }),
    403: async ({ keyWith }) => ({
      authorization: await keyWith('configure'),
      query: { externalId: 'user' },
    }),
  },
}

export const sessionListLimits: Limits = {
  denyFace: [
    {
      says: 'product: an expiry of 1 to 3,650 days',
      within: [1, 3650],
      beyond: [0, 3651, 1.5],
      pointer: '#/expiresInDays',
      send: async (setting, expiresInDays: number) => ({
        authorization: setting.key,
        body: { ...(await deniable(setting)), expiresInDays },
      }),
    },
  ],
  assignReview: [
    {
      says: 'ours: 1 to 100 sessions',
      within: [['x'], Array(100).fill('x')],
      beyond: [[], Array(101).fill('x')],
      pointer: '#/verificationSessionIds',
      send: ({ key }, verificationSessionIds: string[]) => ({
        authorization: key,
        body: { verificationSessionIds, reviewer: 'Kim' },
      }),
    },
  ],
  getSessions: [
    {
      says: 'product: limit 1 to 100',
      within: [1, 100],
      beyond: [0, 101, 1.5],
      pointer: '#/query/limit',
      send: ({ key }, limit: number) => ({ authorization: key, query: { limit: String(limit) } }),
    },
  ],
  reviewSession: [
    {
      says: 'ours: a review names what it saw by the time of it, or nothing',
      within: [null],
      beyond: ['yesterday', '2026-01-31', '', 7],
      pointer: '#/ifReviewedAt',
      send: (setting, ifReviewedAt: unknown) =>
        byKey(setting, completed(setting), { ...decision, ifReviewedAt }),
    },
    {
      says: 'product: a note has at most 500 characters',
      within: ['', 'x'.repeat(500), null],
      beyond: ['x'.repeat(501)],
      pointer: '#/note',
      send: (setting, note: string | null) => byKey(setting, completed(setting), { ...decision, note }),
    },
  ],
  getUsage: [
    {
      says: 'product: from and to at most 400 days apart',
      within: ['2028-02-05T00:00:00Z'],
      beyond: ['2028-02-05T00:00:01Z', '2027-01-01'],
      pointer: '#/query/to',
      send: ({ key }, to: string) => ({ authorization: key, query: { ...range, to } }),
    },
  ],
}
