import { submitSession } from '#shared/contract/sessions/session.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { trueJpeg } from '../../support/drawn/true-jpeg.ts'
import { consent, newVerification, openSession, resultOf, submit } from '../../support/visit.ts'
import type { Cases } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

const unknown = { verificationSessionId: 'x' }
const reviewedAt = '2026-11-24T09:30:00.000Z'

async function kept({ host }: Setting): Promise<string> {
  const opened = await openSession(
    host,
    await newVerification(host, {
      evidenceConfig: { keep: 'all' },
      privacyConfig: { purpose: 'To open an account' },
    }),
  )
  const bytes = (await trueJpeg({ person: 'anna' })).toString('base64')
  const frames = [{ bytes, time: 0, challengeStep: 0 }]
  await host.call(submitSession, { bearer: opened.bearer, body: { frames, consent } })
  return opened.verificationSessionId
}

/** A session with a review, and the review's name. */
async function reviewed({ host }: Setting) {
  const opened = await openSession(host, await newVerification(host))
  await submit(host, opened, { person: 'anna' })
  const { verificationSessionId } = opened
  await host.call(reviewSession, { body: { verificationSessionId, decision: 'Pass' } })
  return { verificationSessionId, reviewedAt: (await resultOf(host, opened)).review!.reviewedAt }
}

export const sessionEvidenceCases: Cases = {
  getEvidence: {
    200: async (setting) => ({
      authorization: setting.key,
      query: { verificationSessionId: await kept(setting) },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: unknown }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure', 'admin'), query: unknown }),
    404: ({ key }) => ({ authorization: key, query: unknown }),
  },
  undoReview: {
    200: async (setting) => ({ authorization: setting.key, body: await reviewed(setting) }),
    400: ({ key }) => ({ authorization: key, body: { ...unknown, reviewedAt: 'yesterday' } }),
    401: () => ({ body: { ...unknown, reviewedAt } }),
    403: async ({ keyWith }) => ({
      authorization: await keyWith('configure'),
      body: { ...unknown, reviewedAt },
    }),
    404: ({ key }) => ({ authorization: key, body: { ...unknown, reviewedAt } }),
    409: async (setting) => ({
      authorization: setting.key,
      body: { ...(await reviewed(setting)), reviewedAt },
    }),
  },
}
