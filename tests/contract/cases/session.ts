import { initRedirectSession, limits } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { fakeJpeg, frameOf } from '../../support/drawn/fake-picture.ts'
import { consent, newVerification, openSession, signedQuery, step, submit } from '../../support/visit.ts'
import type { CaseRequest, Cases, Limits } from '../contract-case.ts'
import type { Setting } from '../setting.ts'
import { trailLimitsOf } from './trail.ts'

const anna = { person: 'anna' }
const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
const huge = { padding: 'x'.repeat(limits.bodyBytes) }

async function session({ host }: Setting, config = {}) {
  const opened = await openSession(host, await newVerification(host, config))
  return { ...opened, authorization: `Bearer ${opened.sessionToken}` }
}

/** Just the token, which is all that a case sends. */
async function token(setting: Setting, config = {}): Promise<CaseRequest> {
  return { authorization: (await session(setting, config)).authorization }
}

async function expired(setting: Setting): Promise<CaseRequest> {
  const opened = await token(setting, live)
  setting.host.pass(15 * 60_000)
  return opened
}

async function purged(setting: Setting): Promise<CaseRequest> {
  const { store } = setting.host
  const opened = await token(setting)
  for await (const entry of store.list('session/')) await store.remove(entry.key)
  return opened
}

const withQuery = async (setting: Setting): Promise<CaseRequest> => ({
  ...(await token(setting)),
  query: { verificationSessionId: 'x' },
})

async function link({ host }: Setting, settings = {}) {
  const verificationId = await newVerification(host)
  return { verificationId, queryString: await signedQuery(host, '', settings) }
}

async function used(setting: Setting): Promise<CaseRequest> {
  const body = await link(setting, { enableNonce: true })
  await setting.host.call(initRedirectSession, { body })
  return { body }
}

/** A link that has reached the limit for failed sessions. */
async function exhausted({ hostWith }: Setting, name = 'one attempt'): Promise<CaseRequest> {
  const on = await hostWith(name, { ports: { attemptLimit: 1 } })
  const verificationId = await newVerification(on, live)
  await submit(on, await openSession(on, verificationId), anna)
  return { on, body: { verificationId, queryString: await signedQuery(on, '') } }
}

/** A person for whom the limit for failed sessions has been reached. */
async function worn({ hostWith }: Setting): Promise<CaseRequest> {
  const on = await hostWith('one attempt', { ports: { attemptLimit: 1 } })
  const body = { verifierConfigs: live.verifierConfigs, externalId: 'user' }
  const opened = await on.call(createSession, { body })
  await submit(on, { ...opened, bearer: opened.sessionToken }, anna)
  return { on, authorization: `ApiKey ${on.apiKey}`, body }
}

/** A session that another device has taken over, with the tokens for both devices. */
async function handedOver(setting: Setting) {
  const { host } = setting
  const first = await session(setting, live)
  const { code } = await host.call(createHandoff, { bearer: first.bearer })
  const taken = await host.call(takeHandoff, { body: { code } })
  return { first, second: { ...taken, authorization: `Bearer ${taken.sessionToken}` } }
}

/** The token of a device that may only follow the session. */
async function following(setting: Setting): Promise<CaseRequest> {
  return { authorization: (await handedOver(setting)).first.authorization }
}

/** The token of a device that has lost the session again. */
async function takenBack(setting: Setting): Promise<CaseRequest> {
  const { first, second } = await handedOver(setting)
  await setting.host.call(cancelHandoff, { bearer: first.bearer })
  return { authorization: second.authorization }
}

/** The token of a session that has already submitted its first picture. */
async function begun(setting: Setting): Promise<CaseRequest> {
  const opened = await session(setting, live)
  await step(setting.host, opened, 0, anna)
  return { authorization: opened.authorization }
}

/** The token of a session that has reached the limit for codes. */
async function outOfCodes(setting: Setting): Promise<CaseRequest> {
  const opened = await session(setting)
  for (let codes = 0; codes < 20; codes++) await setting.host.call(createHandoff, { bearer: opened.bearer })
  return { authorization: opened.authorization }
}

/** A host at which one address has reached the limit for session takeovers per minute. */
async function guessedOften({ hostWith }: Setting): Promise<CaseRequest> {
  const on = await hostWith('one take a minute', { limits: { inits: 1 } })
  const body = { code: 'K7M4P-9QXDT' }
  await on.fetch(takeHandoff.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { on, body }
}

const frames = [frameOf(anna)]
const submission = { frames: frames.map((frame) => ({ ...frame, challengeStep: 0 })), consent }
const steps = (number: number) => ({ step: number, frames })
const batch = (number: number) => ({ step: number, batch: 1, frames })

export const sessionCases: Cases = {
  getSessionResult: {
    200: async (setting) => {
      const opened = await session(setting)
      await submit(setting.host, opened, anna)
      return {
        authorization: setting.key,
        query: { verificationSessionId: opened.verificationSessionId },
      }
    },
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { verificationSessionId: 'x' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith(), query: { verificationSessionId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { verificationSessionId: 'x' } }),
  },
  getSessionTimeline: {
    200: async (setting) => ({
      authorization: setting.key,
      query: { verificationSessionId: (await session(setting)).verificationSessionId },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { verificationSessionId: 'x' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith(), query: { verificationSessionId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { verificationSessionId: 'x' } }),
  },
  createSession: {
    200: async ({ key, host }) => ({
      authorization: key,
      body: { verificationId: await newVerification(host), externalId: 'user' },
    }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: () => ({ body: { verifierConfigs: {} } }),
    403: async ({ key, host }) => ({
      authorization: key,
      body: { verificationId: await newVerification(host), passedUrl: 'https://shop.example' },
    }),
    404: ({ key }) => ({ authorization: key, body: { verificationId: 'x' } }),
    429: worn,
  },
  initRedirectSession: {
    200: async (setting) => ({ body: await link(setting) }),
    400: () => ({ body: {} }),
    401: async (setting) => ({ body: { ...(await link(setting)), queryString: '' } }),
    404: () => ({ body: { verificationId: 'x', queryString: '' } }),
    410: used,
    429: exhausted,
  },
  readLink: {
    200: async (setting) => ({ body: await link(setting) }),
    400: () => ({ body: {} }),
    401: async (setting) => ({ body: { ...(await link(setting)), queryString: '' } }),
    404: () => ({ body: { verificationId: 'x', queryString: '' } }),
    429: (setting) => exhausted(setting, 'one attempt before reading'),
  },
  getSession: { 200: token, 400: withQuery, 401: () => ({}), 404: purged },
  submitStep: {
    200: async (setting) => ({ ...(await token(setting)), body: steps(0) }),
    400: async (setting) => ({ ...(await token(setting)), body: { step: 0, frames: [] } }),
    401: () => ({ body: steps(0) }),
    404: async (setting) => ({ ...(await purged(setting)), body: steps(0) }),
    409: async (setting) => ({ ...(await token(setting)), body: steps(1) }),
    410: async (setting) => ({ ...(await expired(setting)), body: steps(0) }),
    413: async (setting) => ({ ...(await token(setting)), body: huge }),
  },
  submitPictures: {
    202: async (setting) => ({ ...(await token(setting)), body: batch(0) }),
    400: async (setting) => ({ ...(await token(setting)), body: { step: 0, batch: 1 } }),
    401: () => ({ body: batch(0) }),
    404: async (setting) => ({ ...(await purged(setting)), body: batch(0) }),
    409: async (setting) => ({ ...(await token(setting)), body: batch(1) }),
    410: async (setting) => ({ ...(await expired(setting)), body: batch(0) }),
    413: async (setting) => ({ ...(await token(setting)), body: huge }),
  },
  submitSession: {
    200: async (setting) => ({ ...(await token(setting)), body: submission }),
    400: async (setting) => ({ ...(await token(setting)), body: { ...submission, frames: [] } }),
    401: () => ({ body: submission }),
    404: async (setting) => ({ ...(await purged(setting)), body: submission }),
    409: async (setting) => ({ ...(await following(setting)), body: submission }),
    410: async (setting) => ({ ...(await expired(setting)), body: submission }),
    413: async (setting) => ({ ...(await token(setting)), body: huge }),
  },
  createHandoff: {
    200: token,
    400: withQuery,
    401: () => ({}),
    403: async (setting) => ({ authorization: (await handedOver(setting)).second.authorization }),
    404: purged,
    409: begun,
    410: expired,
    429: outOfCodes,
  },
  takeHandoff: {
    200: async (setting) => {
      const { code } = await setting.host.call(createHandoff, { bearer: (await session(setting)).bearer })
      return { body: { code } }
    },
    400: () => ({ body: {} }),
    410: () => ({ body: { code: 'K7M4P-9QXDT' } }),
    429: guessedOften,
  },
  cancelHandoff: {
    200: following,
    400: withQuery,
    401: () => ({}),
    404: purged,
    409: takenBack,
    410: expired,
  },
}

/** A submission with a single frame. */
const withFrame = (frame: object) => ({
  ...submission,
  frames: [{ ...frameOf(anna), challengeStep: 0, ...frame }],
})

const sized = (width: number, height: number) =>
  Buffer.from(fakeJpeg({ ...anna, shot: width }, width, height)).toString('base64')

/** A picture that is `bytes` bytes long. The decoder ignores anything after the scan. */
const weighing = (bytes: number) => {
  const picture = fakeJpeg({ ...anna, shot: bytes })
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]).toString('base64')
}

const reportOf = (bytes: number) => ({ a: 'x'.repeat(bytes - JSON.stringify({ a: '' }).length) })

const inputLimit = (name: 'externalId' | 'correlationId') => ({
  says: `ours: ${name} has 1 to 512 characters`,
  within: ['a', 'a'.repeat(512)],
  beyond: ['', 'a'.repeat(513)],
  pointer: `#/${name}`,
  send: ({ key }: Setting, value: string) => ({
    authorization: key,
    body: { verifierConfigs: {}, [name]: value },
  }),
})

/** A code that has `gap` between its two groups. */
async function codeWith(setting: Setting, gap: string): Promise<string> {
  const { code } = await setting.host.call(createHandoff, { bearer: (await session(setting)).bearer })
  return code.replace('-', gap)
}

export const sessionLimits: Limits = {
  createSession: [inputLimit('externalId'), inputLimit('correlationId')],
  takeHandoff: [
    {
      says: 'ours: a typed code has 1 to 64 characters',
      within: ['-', ' '.repeat(54)],
      beyond: [' '.repeat(55)],
      pointer: '#/code',
      send: async (setting, gap: string) => ({ body: { code: await codeWith(setting, gap) } }),
    },
  ],
  submitStep: trailLimitsOf((trail) => ({ ...steps(0), trail })),
  submitPictures: trailLimitsOf((trail) => ({ ...batch(0), trail })),
  submitSession: [
    ...trailLimitsOf((trail) => ({ ...submission, trail })),
    {
      says: 'product: 1 to 24 frames in all',
      within: [1, 24],
      beyond: [0, 25],
      pointer: '#/frames',
      send: async (setting, count: number) => ({
        ...(await token(setting)),
        body: {
          ...submission,
          frames: Array.from({ length: count }, () => ({ ...frameOf(anna), challengeStep: 0 })),
        },
      }),
    },
    {
      says: 'product: a frame has at most 1 MiB',
      within: [1024 * 1024],
      beyond: [1024 * 1024 + 1],
      pointer: '#/frames/0/bytes',
      send: async (setting, bytes: number) => ({
        ...(await token(setting)),
        body: withFrame({ bytes: weighing(bytes) }),
      }),
    },
    {
      says: 'product: a frame has at most 2 megapixels',
      within: [
        [2000, 1000],
        [1000, 2000],
      ],
      beyond: [
        [2001, 1000],
        [1001, 1999],
        [65_535, 65_535],
      ],
      pointer: '#/frames/0/bytes',
      send: async (setting, [width, height]: [number, number]) => ({
        ...(await token(setting)),
        body: withFrame({ bytes: sized(width, height) }),
      }),
    },
    {
      says: 'product: the time of a frame is an integer',
      within: [0, 1],
      beyond: [-1, 0.5, '0'],
      pointer: '#/frames/0/time',
      send: async (setting, time: unknown) => ({ ...(await token(setting)), body: withFrame({ time }) }),
    },
    {
      says: 'product: the device report has at most 64 kB',
      within: [{}, reportOf(65_536)],
      beyond: [reportOf(65_537), { a: 'ä'.repeat(32_768) }],
      pointer: '#/deviceReport',
      send: async (setting, deviceReport: object) => ({
        ...(await token(setting)),
        body: { ...submission, deviceReport },
      }),
    },
  ],
}
