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

export const sessionListCases: Cases = {
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
