import { getAccount, getKeys } from '#shared/contract/account/account.ts'
import { getAuditLog, verifyAuditLog } from '#shared/contract/account/audit.ts'
import { exportPerson } from '#shared/contract/account/person.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { getWebhookEndpoints } from '#shared/contract/account/webhook-endpoint.ts'
import {
  getAllVerifications,
  getVerification,
  getVerificationVersions,
} from '#shared/contract/configuration/verification.ts'
import { getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import { getOpenidClients } from '#shared/contract/openid/openid-client.ts'
import { getAllCollections, getAllFaces, searchFace } from '#shared/contract/recognition/recognition.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { getSessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { getUsage } from '#shared/contract/sessions/session-usage.ts'
import type { Endpoint, ResultOf } from '#shared/endpoint.ts'
import { imageOf } from '../drawn/gallery.ts'
import type { Host } from '../host.ts'

/** Everything that an account can read, keyed by request. */
export type Reads = Readonly<Record<string, unknown>>

const people = ['anna', 'boris', 'cleo', 'dora']
const limit = 100
const filters = [
  {},
  { state: 'Completed' },
  { state: 'Expired' },
  { verificationResult: 'Fail' },
  ...['anna', 'boris'].map((externalId) => ({ externalId })),
  { correlationId: 'order-1' },
]

/** Reads everything except for times of use, and for addresses and entries that differ between servers. */
export async function readAll(host: Host, apiKey: string): Promise<Reads> {
  const found: Record<string, unknown> = {}
  async function ask<E extends Endpoint>(
    name: string,
    endpoint: E,
    args: object,
    shown: (answer: ResultOf<E>) => unknown = (answer) => answer,
  ): Promise<ResultOf<E> | undefined> {
    const answer = await host
      .call(endpoint, { ...args, apiKey } as never)
      .catch((error: { code?: string }) => {
        if (error.code === undefined) throw error
        found[name] = error.code
      })
    if (answer !== undefined) found[name] = shown(answer as ResultOf<E>)
    return answer as ResultOf<E> | undefined
  }
  const context = { host, found, ask }
  await readSessions(context)
  await readSettings(context)
  await readFaces(context)
  for (const externalId of people)
    await ask(
      `person ${externalId}`,
      exportPerson,
      { query: { externalId } },
      ({ exportedAt: _, ...rest }) => rest,
    )
  return found
}

interface Context {
  readonly host: Host
  readonly found: Record<string, unknown>
  ask<E extends Endpoint>(
    name: string,
    endpoint: E,
    args: object,
    shown?: (answer: ResultOf<E>) => unknown,
  ): Promise<ResultOf<E> | undefined>
}

async function readSessions({ ask }: Context): Promise<void> {
  for (const filter of filters)
    await ask(`sessions ${JSON.stringify(filter)}`, getSessions, { query: { limit, ...filter } })
  const all = await ask('sessions', getSessions, { query: { limit } })
  for (const { verificationSessionId } of all?.sessions ?? []) {
    await ask(`result ${verificationSessionId}`, getSessionResult, { query: { verificationSessionId } })
    await ask(`timeline ${verificationSessionId}`, getSessionTimeline, { query: { verificationSessionId } })
  }
  await ask('deliveries', getDeliveries, { query: { limit } })
  const range = { from: new Date(begun - day).toISOString(), to: new Date(begun + 9 * day).toISOString() }
  for (const interval of ['hour', 'day'])
    for (const splitBy of [undefined, 'verification'])
      await ask(`usage ${interval} ${splitBy}`, getUsage, {
        query: { ...range, interval, ...(splitBy && { splitBy }) },
      })
}

const day = 24 * 3600 * 1000
/** All reads in a run request the same days. */
const begun = Math.floor(Date.now() / day) * day

async function readSettings({ host, found, ask }: Context): Promise<void> {
  const account = await ask('account', getAccount, {})
  const accountId = account!.account.accountId
  await ask('keys', getKeys, { query: {} }, ({ keys }) =>
    keys.map(({ lastUsed: _, revoked, ...key }) => ({ ...key, isRevoked: revoked !== null })),
  )
  await ask('kiosks', getAllKiosks, {})
  await ask('endpoints', getWebhookEndpoints, {})
  // An issuer includes its server's address.
  await ask('clients', getOpenidClients, {}, ({ clients }) =>
    clients.map(({ issuer: _, ...client }) => client),
  )
  await ask('audit', getAuditLog, { query: { limit } }, ({ entries }) => entries)
  await ask('audit is whole', verifyAuditLog, { query: {} }, ({ valid }) => valid)
  const all = await ask('verifications', getAllVerifications, {})
  for (const { verificationId, name } of all?.verifications ?? []) {
    await ask(`verification ${verificationId}`, getVerification, { query: { verificationId } })
    await ask(`versions ${verificationId}`, getVerificationVersions, { query: { verificationId } })
    found[`name ${name}`] = (await host.services.verifications.findByName(accountId, name))?.verificationId
  }
}

async function readFaces({ ask }: Context): Promise<void> {
  const all = await ask('collections', getAllCollections, {})
  for (const { collectionId } of all?.collections ?? []) {
    await ask(
      `faces of ${collectionId}`,
      getAllFaces,
      { query: { collectionId, limit } },
      ({ faces, ...rest }) => ({
        ...rest,
        faces: [...faces].sort((a, b) => (a.faceId < b.faceId ? -1 : 1)),
      }),
    )
    for (const person of ['anna', 'dora']) {
      const body = { collectionId, image: imageOf({ person }) }
      await ask(`${person} in ${collectionId}`, searchFace, { body })
    }
  }
}
