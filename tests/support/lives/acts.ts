import fc from 'fast-check'
import { createKey, revokeKey, updateAccount } from '#shared/contract/account/account.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { createWebhookEndpoint, deleteWebhookEndpoint } from '#shared/contract/account/webhook-endpoint.ts'
import {
  createVerification,
  deleteVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { createKiosk, revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import {
  createOpenidClient,
  deleteOpenidClient,
  rotateOpenidSecret,
} from '#shared/contract/openid/openid-client.ts'
import { updateFace } from '#shared/contract/recognition/named-faces.ts'
import {
  createCollection,
  deleteCollection,
  deleteFace,
  indexFace,
} from '#shared/contract/recognition/recognition.ts'
import { undoReview } from '#shared/contract/sessions/session-evidence.ts'
import { cancelSession, reviewSession } from '#shared/contract/sessions/session-list.ts'
import type { Arguments, Endpoint } from '#shared/endpoint.ts'
import { imageOf } from '../drawn/gallery.ts'
import type { Host } from '../host.ts'
import { openSession, submit } from '../visit.ts'

/** A call that erases something or revokes a right. Restoring a backup repeats its effect. */
export type Erasing = (host: Host, apiKey: string) => Promise<unknown>

/** A deployment that its accounts are using, with the ids of everything created so far. */
interface Life {
  readonly host: Host
  /** The webhook receiver's address. */
  readonly address: string
  readonly verifications: { verificationId: string; name: string }[]
  readonly openSessions: { opened: Awaited<ReturnType<typeof openSession>>; verificationId: string }[]
  /** Verifications that stay, because deleting one ends its open sessions, and each server decides when that happens. */
  readonly staying: Set<string>
  readonly ended: string[]
  readonly collectionIds: string[]
  readonly faces: { collectionId: string; faceId: string; externalId: string }[]
  readonly keyIds: string[]
  readonly kioskIds: string[]
  readonly endpointIds: string[]
  readonly clientIds: string[]
  /** Ordered by when they were created. */
  readonly erased: Erasing[]
}

export function beginLife(host: Host, address: string): Life {
  const lists = { verifications: [], openSessions: [], ended: [], collectionIds: [], faces: [] }
  const more = { keyIds: [], kioskIds: [], endpointIds: [], clientIds: [], erased: [] }
  return { host, address, staying: new Set(), ...lists, ...more }
}

/** People with data that is sometimes erased. */
const people = ['anna', 'boris', 'cleo']
/**
 * The owners of faces that are reassigned. They are never erased, because erasing them after such a change finds different
 * faces from those in a restored store.
 */
const newOwners = ['dora', 'emil']

/** Performs a single act. `pick` chooses among the existing records. */
type Act = (life: Life, pick: number) => Promise<void>

const of = <T>(all: readonly T[], pick: number): T | undefined => all[pick % Math.max(1, all.length)]
const take = <T>(all: T[], pick: number): T | undefined => all.splice(pick % Math.max(1, all.length), 1)[0]
let names = 0
const newName = (kind: string) => `${kind} ${++names}`

async function erase<E extends Endpoint>(life: Life, endpoint: E, args: Arguments<E>): Promise<void> {
  const erasing: Erasing = (host, apiKey) => host.call(endpoint, { ...args, apiKey })
  await erasing(life.host, life.host.apiKey)
  life.erased.push(erasing)
}

async function verificationOf(life: Life, pick: number): Promise<string> {
  if (life.verifications.length === 0) await acts.createVerification(life, pick)
  return of(life.verifications, pick)!.verificationId
}

async function collectionOf(life: Life, pick: number): Promise<string> {
  if (life.collectionIds.length === 0) await acts.createCollection(life, pick)
  return of(life.collectionIds, pick)!
}

const sessionActs = {
  async open(life, pick) {
    const query = `reExternalId=${of(people, pick)}&reCorrelationId=order-${pick % 3}`
    const verificationId = await verificationOf(life, pick)
    life.openSessions.push({ opened: await openSession(life.host, verificationId, query), verificationId })
  },
  async complete(life, pick) {
    if (life.openSessions.length === 0) await sessionActs.open(life, pick)
    const { opened } = take(life.openSessions, pick)!
    await submit(life.host, opened, { person: pick % 4 === 0 ? null : of(people, pick)! })
    life.ended.push(opened.verificationSessionId)
  },
  async cancel(life, pick) {
    const one = take(life.openSessions, pick)
    if (one === undefined) return
    const { verificationSessionId } = one.opened
    await life.host.call(cancelSession, { body: { verificationSessionId } })
    life.ended.push(verificationSessionId)
  },
  async expire(life) {
    life.host.pass(25 * 60_000)
    await life.host.services.expireOverdue()
    life.openSessions.length = 0
  },
  async review(life, pick) {
    // A second review is rejected, and so is reviewing a session that has nothing to decide.
    const verificationSessionId = take(life.ended, pick)
    if (verificationSessionId === undefined) return
    const body = { verificationSessionId, decision: pick % 2 === 0 ? 'Pass' : 'Fail', note: 'seen' } as const
    const { reviewedAt } = await life.host.call(reviewSession, { body })
    if (pick % 3 !== 0) return
    await life.host.call(undoReview, { body: { verificationSessionId, reviewedAt } })
    life.ended.push(verificationSessionId)
  },
} satisfies Record<string, Act>

const settingActs = {
  async createVerification(life, pick) {
    // Some of the names were used before. A name that was freed refers to its new record.
    const name = pick % 2 === 0 ? newName('verification') : `verification of name ${pick % 3}`
    if (life.verifications.some((one) => one.name === name)) return
    const verificationConfig = {
      webhookConfig: { eventCallbackUrl: life.address },
      ...(pick % 3 === 0 && { historyConfig: { days: 30 } }),
    }
    const { verificationId } = await life.host.call(createVerification, {
      body: { name, verificationConfig },
    })
    life.verifications.push({ verificationId, name })
  },
  async renameVerification(life, pick) {
    const one = of(life.verifications, pick)
    if (one === undefined) return
    one.name = newName('renamed')
    await life.host.call(updateVerification, {
      body: { verificationId: one.verificationId, name: one.name },
    })
  },
  async deleteVerification(life, pick) {
    const one = of(life.verifications, pick)
    const staying = [...life.staying, ...life.openSessions.map(({ verificationId }) => verificationId)]
    if (one === undefined || staying.includes(one.verificationId)) return
    life.verifications.splice(life.verifications.indexOf(one), 1)
    await erase(life, deleteVerification, { query: { verificationId: one.verificationId } })
  },
  async changeAccount(life) {
    await life.host.call(updateAccount, { body: { name: newName('account') } })
  },
  async createKey(life) {
    const { keyId } = await life.host.call(createKey, { body: { name: newName('key'), scopes: ['analyse'] } })
    life.keyIds.push(keyId)
  },
  async revokeKey(life, pick) {
    const keyId = take(life.keyIds, pick)
    if (keyId !== undefined) await erase(life, revokeKey, { query: { keyId } })
  },
  async createKiosk(life, pick) {
    const body = { name: newName('kiosk'), verificationId: await verificationOf(life, pick) }
    life.kioskIds.push((await life.host.call(createKiosk, { body })).kioskId)
  },
  async revokeKiosk(life, pick) {
    const kioskId = take(life.kioskIds, pick)
    if (kioskId !== undefined) await erase(life, revokeKiosk, { query: { kioskId } })
  },
  async createEndpoint(life) {
    if (life.endpointIds.length >= 3) return
    const events = ['VerificationCompleted', 'VerificationExpired'] as const
    const body = { url: life.address, events: [...events] }
    life.endpointIds.push((await life.host.call(createWebhookEndpoint, { body })).endpointId)
  },
  async deleteEndpoint(life, pick) {
    const endpointId = take(life.endpointIds, pick)
    if (endpointId !== undefined) await erase(life, deleteWebhookEndpoint, { query: { endpointId } })
  },
  async createClient(life, pick) {
    const redirectUris = ['https://shop.example/callback']
    const body = { name: newName('client'), redirectUris, verificationId: await verificationOf(life, pick) }
    life.clientIds.push((await life.host.call(createOpenidClient, { body })).clientId)
  },
  async changeClient(life, pick) {
    const clientId = of(life.clientIds, pick)
    if (clientId === undefined) return
    if (pick % 2 === 0) await life.host.call(rotateOpenidSecret, { body: { clientId } })
    else {
      life.clientIds.splice(life.clientIds.indexOf(clientId), 1)
      await erase(life, deleteOpenidClient, { query: { clientId } })
    }
  },
} satisfies Record<string, Act>

const faceActs = {
  async createCollection(life, pick) {
    const collectionId = `members ${pick % 3}`
    if (life.collectionIds.includes(collectionId)) return
    await life.host.call(createCollection, { body: { collectionId } })
    life.collectionIds.push(collectionId)
  },
  async deleteCollection(life, pick) {
    const collectionId = take(life.collectionIds, pick)
    if (collectionId === undefined) return
    life.faces.splice(
      0,
      life.faces.length,
      ...life.faces.filter((face) => face.collectionId !== collectionId),
    )
    await erase(life, deleteCollection, { query: { collectionId } })
  },
  async indexFace(life, pick) {
    const collectionId = await collectionOf(life, pick)
    const externalId = of([...people, ...newOwners], pick)!
    const body = { collectionId, image: imageOf({ person: externalId }), externalId }
    const { faceId } = await life.host.call(indexFace, { body })
    life.faces.push({ collectionId, faceId: faceId!, externalId })
  },
  async giveFace(life, pick) {
    const face = of(
      life.faces.filter(({ externalId }) => newOwners.includes(externalId)),
      pick,
    )
    if (face === undefined) return
    const { collectionId, faceId } = face
    const externalId = of(newOwners, pick + 1)!
    await life.host.call(updateFace, { body: { collectionId, faceId, externalId } })
  },
  async deleteFace(life, pick) {
    const face = take(life.faces, pick)
    if (face === undefined) return
    const { collectionId, faceId } = face
    await erase(life, deleteFace, { query: { collectionId, faceId } })
  },
  async deletePerson(life, pick) {
    const externalId = of(people, pick)!
    life.openSessions.length = 0
    life.ended.length = 0
    life.faces.splice(0, life.faces.length, ...life.faces.filter((face) => face.externalId !== externalId))
    await erase(life, deletePerson, { query: { externalId } })
  },
} satisfies Record<string, Act>

const acts = { ...sessionActs, ...settingActs, ...faceActs }
type ActName = keyof typeof acts

export interface Step {
  readonly act: ActName
  readonly pick: number
}

/** Steps in random order, with session steps more frequent than others. */
export function stepsOf(most: number): fc.Arbitrary<Step[]> {
  const weighted = (names: string[], weight: number) =>
    names.map((name) => ({ arbitrary: fc.constant(name as ActName), weight }))
  const act = fc.oneof(
    ...weighted(Object.keys(sessionActs), 4),
    ...weighted(Object.keys({ ...settingActs, ...faceActs }), 2),
  )
  return fc.array(fc.record({ act, pick: fc.nat(59) }), { minLength: Math.ceil(most / 2), maxLength: most })
}

export async function live(life: Life, steps: readonly Step[]): Promise<void> {
  for (const { act, pick } of steps) await acts[act](life, pick)
  await life.host.services.deliveries.settle()
}
