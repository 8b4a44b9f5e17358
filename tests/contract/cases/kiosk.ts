import { deleteVerification } from '#shared/contract/configuration/verification.ts'
import { createKiosk, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { assertionGrant } from '#shared/contract/kiosk/kiosk-capture.ts'
import { pairKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { limits } from '#shared/contract/sessions/session.ts'
import {
  assertionOf,
  captureOf,
  type Device,
  newDeviceKey,
  pairDevice,
  seal,
  send,
  tokenOf,
} from '../../support/kiosk-device.ts'
import { newVerification } from '../../support/visit.ts'
import type { CaseRequest, Cases, Limits } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }

async function paired({ host }: Setting): Promise<Device> {
  return pairDevice(host, await newVerification(host, live))
}

async function newKiosk({ host }: Setting) {
  return host.call(createKiosk, { body: { name: 'Desk', verificationId: await newVerification(host) } })
}

async function pairing(pairingCode: string) {
  return { body: { pairingCode, publicKey: (await newDeviceKey()).publicJwk } }
}

/** A paired device that uses its token as the bearer token. */
async function admitted(setting: Setting) {
  const device = await paired(setting)
  return { device, authorization: `Bearer ${await tokenOf(setting.host, device)}` }
}

/** The token of a kiosk that was switched off. */
async function revoked(setting: Setting): Promise<CaseRequest> {
  const { device, authorization } = await admitted(setting)
  await setting.host.call(revokeKiosk, { query: { kioskId: device.kioskId } })
  return { authorization }
}

/** The token of a kiosk whose verification was deleted. */
async function orphaned(setting: Setting) {
  const { device, authorization } = await admitted(setting)
  const { verificationId } = device.configuration
  await setting.host.call(deleteVerification, { query: { verificationId } })
  return { device, authorization }
}

/** The code of a kiosk whose verification was deleted. */
async function orphanedCode({ host }: Setting): Promise<CaseRequest> {
  const verificationId = await newVerification(host)
  const { pairingCode } = await host.call(createKiosk, { body: { name: 'Desk', verificationId } })
  await host.call(deleteVerification, { query: { verificationId } })
  return pairing(pairingCode)
}

/** A host at which one address has reached the limit for wrong codes. */
async function guessedOften({ hostWith }: Setting): Promise<CaseRequest> {
  const on = await hostWith('five codes', { ports: { attemptLimit: 5 } })
  const request = await pairing('K7M4P-9QXDT')
  for (let tries = 0; tries < 5; tries++) await on.call(pairKiosk, request).catch(() => undefined)
  return { on, ...request }
}

const grant = (assertion: string) => ({ body: { grant_type: assertionGrant, assertion } })

const status = ({ host }: Setting) => ({
  clockUtcTime: new Date(host.now()).toISOString(),
  queued: 0,
  unusedPlanCount: 0,
  lastSequence: 0,
})

async function submission({ host }: Setting, device: Device, given = {}) {
  const capture = captureOf(device, host.now(), given)
  return { captureId: capture.captureId, sealed: await seal(device, capture) }
}

/** A capture that reuses a sequence number. */
async function repeatedSequence(setting: Setting): Promise<CaseRequest> {
  const { host } = setting
  const { device, authorization } = await admitted(setting)
  const first = captureOf(device, host.now())
  await send(host, device, { captureId: first.captureId, sealed: await seal(device, first) })
  return { authorization, body: await submission(setting, device, { sequence: first.sequence }) }
}

export const kioskCases: Cases = {
  createKiosk: {
    200: async ({ key, host }) => ({
      authorization: key,
      body: { name: 'Desk', verificationId: await newVerification(host), locale: 'de-AT' },
    }),
    400: ({ key }) => ({ authorization: key, body: {} }),
    401: () => ({ body: { name: 'Desk', verificationId: 'x' } }),
    403: async ({ keyWith }) => ({
      authorization: await keyWith('configure'),
      body: { name: 'Desk', verificationId: 'x' },
    }),
    404: ({ key }) => ({ authorization: key, body: { name: 'Desk', verificationId: 'x' } }),
  },
  getAllKiosks: {
    200: async (setting) => {
      await paired(setting)
      return { authorization: setting.key }
    },
    400: ({ key }) => ({ authorization: key, rawQuery: '?a=%zz' }),
    401: () => ({}),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure') }),
  },
  revokeKiosk: {
    200: async (setting) => ({
      authorization: setting.key,
      query: { kioskId: (await newKiosk(setting)).kioskId },
    }),
    400: ({ key }) => ({ authorization: key }),
    401: () => ({ query: { kioskId: 'x' } }),
    403: async ({ keyWith }) => ({ authorization: await keyWith('configure'), query: { kioskId: 'x' } }),
    404: ({ key }) => ({ authorization: key, query: { kioskId: 'x' } }),
  },
  pairKiosk: {
    200: async (setting) => pairing((await newKiosk(setting)).pairingCode),
    400: () => ({ body: {} }),
    401: () => pairing('K7M4P-9QXDT'),
    404: orphanedCode,
    410: async (setting) => pairing((await paired(setting)).pairingCode),
    429: guessedOften,
  },
  tokenKiosk: {
    200: async (setting) => grant(await assertionOf(await paired(setting), setting.host.now())),
    400: () => ({ body: {} }),
    401: () => grant('a.b.c'),
    403: async (setting) => {
      const device = await paired(setting)
      await setting.host.call(revokeKiosk, { query: { kioskId: device.kioskId } })
      return grant(await assertionOf(device, setting.host.now()))
    },
  },
  syncKiosk: {
    200: async (setting) => ({ ...(await authorised(setting)), body: status(setting) }),
    400: async (setting) => ({ ...(await authorised(setting)), body: {} }),
    401: (setting) => ({ body: status(setting) }),
    403: async (setting) => ({ ...(await revoked(setting)), body: status(setting) }),
    404: async (setting) => ({
      authorization: (await orphaned(setting)).authorization,
      body: status(setting),
    }),
  },
  submitKiosk: {
    200: async (setting) => {
      const { device, authorization } = await admitted(setting)
      return { authorization, body: await submission(setting, device) }
    },
    400: async (setting) => ({ ...(await authorised(setting)), body: {} }),
    401: () => ({ body: {} }),
    403: async (setting) => ({ ...(await revoked(setting)), body: {} }),
    404: async (setting) => {
      const { device, authorization } = await orphaned(setting)
      return { authorization, body: await submission(setting, device) }
    },
    409: repeatedSequence,
    413: async (setting) => ({
      ...(await authorised(setting)),
      body: { padding: 'x'.repeat(limits.bodyBytes) },
    }),
  },
}

async function authorised(setting: Setting): Promise<CaseRequest> {
  return { authorization: (await admitted(setting)).authorization }
}

/** A request from `create`, with one member replaced. */
const creating =
  (name: 'name' | 'locale') =>
  async ({ key, host }: Setting, value: unknown) => ({
    authorization: key,
    body: { name: 'Desk', verificationId: await newVerification(host), [name]: value },
  })

const syncing = (name: string) => async (setting: Setting, value: unknown) => ({
  ...(await authorised(setting)),
  body: { ...status(setting), [name]: value },
})

export const kioskLimits: Limits = {
  createKiosk: [
    {
      says: 'ours: the name of a kiosk has 1 to 100 characters',
      within: ['a', 'a'.repeat(100)],
      beyond: ['', 'a'.repeat(101)],
      pointer: '#/name',
      send: creating('name'),
    },
    {
      says: 'ours: the locale of a kiosk is a language tag',
      within: ['en', 'en_GB', 'zh-Hant-TW'],
      beyond: ['', 'e', 'en GB', 'a'.repeat(36)],
      pointer: '#/locale',
      send: creating('locale'),
    },
  ],
  pairKiosk: [
    {
      says: 'product: the private key never leaves the device',
      within: [undefined],
      beyond: ['x'.repeat(43)],
      pointer: '#/publicKey/d',
      send: async (setting, d: unknown) => {
        const { publicJwk } = await newDeviceKey()
        const { pairingCode } = await newKiosk(setting)
        return { body: { pairingCode, publicKey: { ...publicJwk, d } } }
      },
    },
    {
      says: 'ours: case, gaps and look-alikes of a code do not matter',
      within: ['lower', 'gaps', 'look-alikes'],
      beyond: [],
      pointer: '#/pairingCode',
      send: async (setting, way: string) => {
        const { pairingCode } = await newKiosk(setting)
        const written: Record<string, string> = {
          lower: pairingCode.toLowerCase(),
          gaps: [...pairingCode.replace('-', '')].join(' '),
          'look-alikes': pairingCode.replaceAll('0', 'o').replaceAll('1', 'l'),
        }
        return pairing(written[way]!)
      },
    },
  ],
  syncKiosk: [
    {
      says: 'ours: a clock is told as a time in UTC that exists',
      within: ['2030-01-31T12:00:00Z', '1970-01-01T00:00:00.000Z', '2028-02-29T12:00:00Z'],
      beyond: ['2030-01-31', '2030-01-31T12:00:00+01:00', '2030-13-31T12:00:00Z', '2030-02-30T12:00:00Z', 0],
      pointer: '#/clockUtcTime',
      send: syncing('clockUtcTime'),
    },
    {
      says: 'ours: counts are whole and not negative',
      within: [0, 1, Number.MAX_SAFE_INTEGER],
      beyond: [-1, 0.5, '1'],
      pointer: '#/unusedPlanCount',
      send: syncing('unusedPlanCount'),
    },
  ],
}
