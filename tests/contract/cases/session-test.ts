import { createKey } from '#shared/contract/account/account.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { scopes } from '#shared/endpoint.ts'
import type { Cases, Limits } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

const testOutcome = { result: 'passed' as const }

/** A test account key with these scopes. */
async function testKey({ host }: Setting, ...asked: (typeof scopes)[number][]): Promise<string> {
  const body = { name: 'Test', scopes: asked.length > 0 ? asked : [...scopes], mode: 'test' as const }
  return (await host.call(createKey, { body })).apiKey
}

async function opened(setting: Setting) {
  const apiKey = await testKey(setting)
  const body = { verifierConfigs: {} }
  const { verificationSessionId } = await setting.host.call(createSession, { apiKey, body })
  const { accounts } = setting.host.services
  const { account } = await accounts.create('A third')
  const { apiKey: strange } = await accounts.keys.create(account.accountId, 'Test', scopes, 'test')
  return { authorization: `ApiKey ${apiKey}`, stranger: `ApiKey ${strange}`, verificationSessionId }
}

export const sessionTestCases: Cases = {
  completeTestSession: {
    200: async (setting) => {
      const { verificationSessionId, ...who } = await opened(setting)
      return { ...who, body: { verificationSessionId, testOutcome } }
    },
    400: ({ key }) => ({ authorization: key, body: { verificationSessionId: 'x', testOutcome } }),
    401: () => ({}),
    403: async (setting) => ({ authorization: `ApiKey ${await testKey(setting, 'analyse')}` }),
    404: async (setting) => ({
      authorization: `ApiKey ${await testKey(setting)}`,
      body: { verificationSessionId: 'x', testOutcome },
    }),
    409: async (setting) => {
      const { verificationSessionId, authorization } = await opened(setting)
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ verificationSessionId, testOutcome })
      const path = '/v1/verification/complete-test-session'
      await setting.host.fetch(path, { method: 'POST', headers, body })
      return { authorization, body: { verificationSessionId, testOutcome } }
    },
  },
}

const completing = async (setting: Setting, given: object) => {
  const { verificationSessionId, authorization } = await opened(setting)
  return { authorization, body: { verificationSessionId, testOutcome: { ...testOutcome, ...given } } }
}

export const sessionTestLimits: Limits = {
  completeTestSession: [
    {
      says: 'ours: passed, or a failed reason',
      within: ['passed', 'noFace', 'sessionExpired', 'assuranceTooLow'],
      beyond: ['Passed', 'failed', '', null],
      pointer: '#/testOutcome/result',
      send: (setting, result: string) => completing(setting, { result }),
    },
    {
      says: 'ours: an age of 0 to 150',
      within: [0, 17.5, 150],
      beyond: [-0.1, 150.1, '18'],
      pointer: '#/testOutcome/age',
      send: (setting, age: number) => completing(setting, { age }),
    },
    {
      says: 'ours: a face id of 1 to 512 characters',
      within: ['a', 'a'.repeat(512)],
      beyond: ['', 'a'.repeat(513)],
      pointer: '#/testOutcome/faceId',
      send: (setting, faceId: string) => completing(setting, { faceId }),
    },
  ],
}
