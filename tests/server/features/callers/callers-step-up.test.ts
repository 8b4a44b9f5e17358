import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import {
  createKey,
  createKey as createKeyOf,
  getAccount,
  setPrimaryKey,
  updateAccount,
} from '#shared/contract/account/account.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { createWebhookEndpoint, updateWebhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import {
  createOrUpdateVerification,
  createVerification,
  deleteVerification,
  getVerification,
  getVerificationVersions,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { signedInLimits } from '#shared/contract/console/console-paths.ts'
import { createKiosk, getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { type ConsoleVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

const { getNotices, seeNotices, switchAccount } = consoleCatalogue

let host: Host
let owner: ConsoleVisitor
let eve: ConsoleVisitor
let verificationId: string
const strict = {
  verifierConfigs: { liveness: { type: 'Verification', challengeType: 'Advanced' } },
  redirectConfig: { passedUrl: 'https://shop.example/passed' },
} as const
const evil = 'https://evil.example/'

beforeAll(async () => {
  host = await startHost()
  owner = await signedInAs(host, 'owner', 'Ada')
  eve = await signedInAs(host, 'developer', 'Eve')
  const made = await host.call(createVerification, { body: { name: 'sign-up', verificationConfig: strict } })
  verificationId = made.verificationId
  await seeAll()
})
afterAll(() => host.close())

async function seeAll() {
  await owner.ask(seeNotices, { until: new Date(host.now()).toISOString() })
}

async function notices(who = owner) {
  return (await who.ask(getNotices)).body.notices as {
    consequences: string[]
    by: string
    operation: string
  }[]
}

const asked = { status: 403, body: { code: 'passkey_needed' } }

/** An intruder's possible actions through a developer's open sign-in, and their effects. */
const deeds = {
  'switches liveness off': [
    updateVerification,
    () => ({ verificationId, verificationConfig: { ...strict, verifierConfigs: {} } }),
    ['livenessOff'],
  ],
  'replaces it by its name': [
    createOrUpdateVerification,
    () => ({ name: 'sign-up', verificationConfig: {} }),
    ['livenessOff'],
  ],
  'sets foreign return addresses': [
    updateVerification,
    () => ({ verificationId, verificationConfig: { ...strict, redirectConfig: { passedUrl: evil } } }),
    ['returnAddress'],
  ],
  'allows unsigned links': [
    updateVerification,
    () => ({
      verificationId,
      verificationConfig: { ...strict, securityConfig: { forceSignedInput: false } },
    }),
    ['unsignedLinks'],
  ],
  'makes one that leads elsewhere': [
    createVerification,
    () => ({ name: 'trap', verificationConfig: { redirectConfig: { passedUrl: evil } } }),
    ['returnAddress'],
  ],
  'pairs a kiosk': [createKiosk, () => ({ name: 'Door', verificationId }), ['kioskMade']],
  'opens framing origins': [
    updateAccount,
    () => ({ embedOrigins: ['https://evil.example'] }),
    ['framedElsewhere'],
  ],
  'sends people elsewhere for help': [updateAccount, () => ({ supportUrl: evil }), ['personElsewhere']],
  'lifts the limit of attempts': [updateAccount, () => ({ attemptLimit: 'off' }), ['attemptsLoosened']],
  'signs a link for another person': [
    createSignature,
    () => ({ queryString: `reVerificationId=${verificationId}&reExternalId=kim` }),
    ['linkForPerson'],
  ],
  'signs a link that leads elsewhere': [
    createSignature,
    () => ({ queryString: `reVerificationId=${verificationId}&rePassedUrl=${encodeURIComponent(evil)}` }),
    ['returnAddress'],
  ],
  'signs a link past liveness': [
    createSignature,
    () => ({ queryString: `reVerificationId=${verificationId}&reDisableLivenessVerifier=true` }),
    ['verifiersSkipped'],
  ],
  'makes a session for another person': [
    createSession,
    () => ({ verificationId, externalId: 'kim' }),
    ['linkForPerson'],
  ],
} as const

type Deed = keyof typeof deeds

describe('a developer’s sign-in that was left open', () => {
  beforeEach(async () => {
    await host.call(updateVerification, {
      body: { verificationId, name: 'sign-up', verificationConfig: strict },
    })
    await host.call(updateAccount, { body: { embedOrigins: [], supportUrl: null, attemptLimit: null } })
    await seeAll()
    host.pass(signedInLimits.freshSeconds * 1000)
  })

  test.each(Object.keys(deeds) as Deed[])(
    '%s with the passkey only, and the owners are notified',
    async (deed) => {
      const [endpoint, given, consequences] = deeds[deed]
      expect(await eve.ask(endpoint, given())).toMatchObject(asked)
      expect(await notices()).toEqual([])
      const { verification } = await host.call(getVerification, { query: { verificationId } })
      expect(verification.verificationConfig).toMatchObject(strict)
      await eve.again()
      const answer = await eve.ask(endpoint, given())
      expect([answer.status, answer.body]).toEqual([200, expect.anything()])
      expect(await notices()).toMatchObject([{ by: 'Eve', consequences }])
      const { entries } = await host.call(getAuditLog, { query: { limit: 1 } })
      expect(entries[0]).toMatchObject({
        actor: { kind: 'operator', operator: { name: 'Eve' } },
        resources: { consequences: consequences.join(' ') },
        outcome: 'succeeded',
      })
    },
  )

  it('continues with changes that make nothing worse', async () => {
    const harmless = [
      [updateVerification, { verificationId, name: 'sign-up', verificationConfig: strict }],
      [
        updateVerification,
        { verificationId, verificationConfig: { ...strict, privacyConfig: { controller: 'Shop' } } },
      ],
      [createVerification, { name: `plain ${host.now()}`, verificationConfig: {} }],
      [updateAccount, { theme: { radius: 4 }, displayName: 'Shop' }],
      [createSignature, { queryString: `reVerificationId=${verificationId}&reCorrelationId=7` }],
      [createSession, { verificationId }],
    ] as const
    for (const [endpoint, given] of harmless)
      expect([endpoint.path, (await eve.ask(endpoint, given)).status]).toEqual([endpoint.path, 200])
    expect(await notices()).toEqual([])
  })

  it('does not go back to a weaker version without the passkey', async () => {
    const weak = { ...strict, verifierConfigs: {} }
    await host.call(updateVerification, { body: { verificationId, verificationConfig: weak } })
    await host.call(updateVerification, { body: { verificationId, verificationConfig: strict } })
    const { versions } = await host.call(getVerificationVersions, { query: { verificationId } })
    const { verificationConfig } = versions[1]!
    expect(await eve.ask(updateVerification, { verificationId, verificationConfig })).toMatchObject(asked)
  })

  it('is recorded as refused in the audit log with the intended effect', async () => {
    await eve.ask(updateVerification, { verificationId, verificationConfig: {} })
    const { entries } = await host.call(getAuditLog, { query: { limit: 1 } })
    expect(entries[0]).toMatchObject({
      operation: 'updateVerification',
      outcome: 'passkey_needed',
      resources: { verificationId, consequences: 'livenessOff' },
    })
  })
})

describe('the owners', () => {
  it("are notified of a key's changes to a verification, and of calls that ask for the passkey anyway", async () => {
    await seeAll()
    await host.call(updateVerification, { body: { verificationId, verificationConfig: {} } })
    await host.call(updateVerification, { body: { verificationId, verificationConfig: strict } })
    await owner.again()
    const { keyId } = (await owner.ask(createKey, { name: 'Webhooks', scopes: [] })).body
    await owner.ask(setPrimaryKey, { keyId })
    const { endpointId } = (
      await owner.ask(createWebhookEndpoint, { url: 'http://localhost:9/', events: ['KioskRevoked'] })
    ).body
    await owner.ask(updateWebhookEndpoint, { endpointId, description: 'Kiosks' })
    await owner.ask(updateWebhookEndpoint, { endpointId, url: 'http://localhost:8/' })
    const { verificationId: gone } = await host.call(createVerification, { body: { name: 'gone' } })
    await owner.ask(deleteVerification, { verificationId: gone })
    expect((await notices()).map(({ operation, consequences }) => [operation, ...consequences])).toEqual([
      ['deleteVerification', 'verificationDeleted'],
      ['updateWebhookEndpoint', 'resultElsewhere'],
      ['createWebhookEndpoint', 'resultElsewhere'],
      ['setPrimaryKey', 'keySent'],
      ['createKey', 'keyMade'],
      ['updateVerification', 'returnAddress'],
      ['updateVerification', 'livenessOff'],
    ])
    const { primaryKeyId } = (await host.call(getAccount, {})).account
    expect(primaryKeyId).toBe(keyId)
  })

  it('see each change until they confirm it, each separately, and no one else does', async () => {
    await seeAll()
    await host.call(updateVerification, { body: { verificationId, verificationConfig: {} } })
    const other = await signedInAs(host, 'owner', 'Grace')
    expect(await notices()).toHaveLength(1)
    host.pass(1)
    await seeAll()
    expect([await notices(), (await notices(other))[0]]).toMatchObject([
      [],
      { consequences: ['livenessOff'] },
    ])
    expect((await eve.ask(getNotices)).status).toBe(403)
    expect((await eve.ask(seeNotices, { until: new Date().toISOString() })).status).toBe(403)
    await host.call(updateVerification, { body: { verificationId, verificationConfig: strict } })
    host.pass(31 * 24 * 3600_000)
    const later = await signedInAs(host, 'owner', 'Later')
    expect(await notices(later)).toEqual([])
    owner = await signedInAs(host, 'owner', 'Ada again')
  })

  it('cannot confirm future changes', async () => {
    await owner.ask(seeNotices, { until: '2999-01-01T00:00:00Z' })
    host.pass(1000)
    await host.call(updateVerification, { body: { verificationId, verificationConfig: {} } })
    expect(await notices()).toHaveLength(1)
  })
})

test('test data requires and reports nothing', async () => {
  const builder = await signedInAs(host, 'developer', 'Builder')
  await builder.ask(switchAccount, { accountId: host.accountId, environment: 'test' })
  await seeAll()
  host.pass(signedInLimits.freshSeconds * 1000)
  const made = await builder.ask(createVerification, {
    name: 'try',
    verificationConfig: {
      redirectConfig: { passedUrl: evil },
      ...{ securityConfig: { forceSignedInput: false } },
    },
  })
  expect(made.status).toBe(200)
  const { verificationId: tried } = made.body
  expect((await builder.ask(createKiosk, { name: 'Try', verificationId: tried })).status).toBe(200)
  expect((await builder.ask(updateAccount, { embedOrigins: ['https://shop.example'] })).status).toBe(200)
  expect((await builder.ask(getAllKiosks)).status).toBe(200)
  expect(await notices()).toEqual([])
})

test('a key and the command line need no passkey', async () => {
  const { apiKey } = await host.call(createKeyOf, {
    body: { name: 'server', scopes: ['configure', 'admin'] },
  })
  await host.call(updateVerification, { body: { verificationId, verificationConfig: strict } })
  await host.call(updateVerification, { apiKey, body: { verificationId, verificationConfig: {} } })
  const query = `reVerificationId=${verificationId}&reExternalId=kim`
  expect(await host.call(createSignature, { apiKey, body: { queryString: query } })).toBeTruthy()
})
