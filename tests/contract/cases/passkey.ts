import { createPasskeyOptions } from '#shared/contract/sessions/session-passkey.ts'
import { newAuthenticator } from '../../support/authenticator.ts'
import { embeddingOf } from '../../support/drawn/fake-analysis.ts'
import type { Host } from '../../support/host.ts'
import { newVerification, type Opened, openSession, submit } from '../../support/visit.ts'
import type { CaseRequest, Cases } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

const pages = 'https://check.example'
const device = newAuthenticator(pages)
const face = { embedding: embeddingOf('anna'), embeddingModel: 'fr-feature/2' } as const
const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
const huge = { response: { padding: 'x'.repeat(64 * 1024) } }

/** A host with pages on a host name. */
const named = ({ hostWith }: Setting) => hostWith('a name', { ports: { origin: () => pages } })

const request = (on: Host, { bearer }: Opened, body?: unknown): CaseRequest => ({
  on,
  authorization: `Bearer ${bearer}`,
  ...(body === undefined ? {} : { body }),
})

let persons = 0

/** A session in which the person may bind a passkey. The required evidence is written straight to the store. */
async function offered(on: Host): Promise<Opened> {
  const externalId = `offered ${++persons}`
  const opened = await openSession(on, await newVerification(on, live), `reExternalId=${externalId}`)
  await submit(on, opened, { person: 'anna' })
  const { sessionStore, passkeys } = on.services
  const { accountId } = on
  const read = (await sessionStore.read(accountId, opened.verificationSessionId))!
  const record = { ...read.value, passkey: { ...read.value.passkey!, isOffered: true } }
  const offer = passkeys.writeOffer(record.sessionId, { accountId, externalId, face }, 900)
  await sessionStore.replace(read, record, { writes: [offer], guards: [] })
  return opened
}

/** A session for a person with a passkey on this device. */
async function asked(on: Host): Promise<Opened> {
  const externalId = `asked ${++persons}`
  const person = { accountId: on.accountId, externalId }
  const made = { ...device.credential, boundAt: on.now(), sessionId: 'x', face }
  await on.store.commit([await on.services.passkeys.write(person, made)], [])
  return openSession(on, await newVerification(on, live), `reExternalId=${externalId}`)
}

type Ceremony = 'bind' | 'verify'

async function answered(setting: Setting, ceremony: Ceremony): Promise<CaseRequest> {
  const on = await named(setting)
  const opened = await (ceremony === 'bind' ? offered(on) : asked(on))
  const { options } = await on.call(createPasskeyOptions, { bearer: opened.bearer, body: { ceremony } })
  const response = ceremony === 'bind' ? newAuthenticator(pages).make(options) : device.show(options)
  return request(on, opened, { response })
}

/** Sends this body to a session that neither requests nor offers a passkey. */
async function unasked(setting: Setting, body: unknown): Promise<CaseRequest> {
  const on = await named(setting)
  return request(on, await openSession(on, await newVerification(on, live)), body)
}

async function expired(setting: Setting, body: unknown): Promise<CaseRequest> {
  const opened = await openSession(setting.host, await newVerification(setting.host, live))
  setting.host.pass(15 * 60_000)
  return request(setting.host, opened, body)
}

async function purged(setting: Setting, body: unknown): Promise<CaseRequest> {
  const { host } = setting
  const opened = await openSession(host, await newVerification(host, live))
  for await (const entry of host.store.list('session/')) await host.store.remove(entry.key)
  return request(host, opened, body)
}

const empty = { response: {} }
const answers = (ceremony: Ceremony) => ({
  200: (setting: Setting) => answered(setting, ceremony),
  400: async (setting: Setting) => ({ ...(await answered(setting, ceremony)), body: empty }),
  401: () => ({ body: empty }),
  404: (setting: Setting) => purged(setting, empty),
  409: (setting: Setting) => unasked(setting, empty),
  410: (setting: Setting) => expired(setting, empty),
  413: (setting: Setting) => unasked(setting, huge),
})

export const passkeyCases: Cases = {
  createPasskeyOptions: {
    200: async (setting) => {
      const on = await named(setting)
      return request(on, await asked(on), { ceremony: 'verify' })
    },
    400: (setting) => unasked(setting, { ceremony: 'marry' }),
    401: () => ({ body: { ceremony: 'verify' } }),
    404: (setting) => purged(setting, { ceremony: 'verify' }),
    409: (setting) => unasked(setting, { ceremony: 'bind' }),
    410: (setting) => expired(setting, { ceremony: 'verify' }),
  },
  verifyPasskey: answers('verify'),
  bindPasskey: answers('bind'),
}
