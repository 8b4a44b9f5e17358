import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAccount, getKeys, rotateSigningKey, updateAccount } from '#shared/contract/account/account.ts'
import { getAuditLog, verifyAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { validateSignature } from '#shared/contract/configuration/signature.ts'
import {
  createOrUpdateVerification,
  getAllVerifications,
  getVerification,
} from '#shared/contract/configuration/verification.ts'
import {
  createCollection,
  deleteCollection,
  getAllCollections,
  getCollection,
  searchFace,
} from '#shared/contract/recognition/recognition.ts'
import { resetCollection, verifyDuplicate } from '#shared/contract/recognition/verify.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { addFace, imageOf, newCollection } from '../support/drawn/gallery.ts'
import { type Host, startHost } from '../support/host.ts'
import { startReceiver } from '../support/programs/receiver.ts'
import { signedQuery, visit } from '../support/visit.ts'

/**
 * Calls that do not name anything in an account, or that give the same answer whether it exists or not. None of them reach another
 * account. The contract suite tests the endpoints that answer with 404.
 */
let host: Host
let stranger: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  host = await startHost()
  receiver = await startReceiver()
  stranger = (await host.services.accounts.create('Stranger')).apiKey
})
afterAll(async () => {
  receiver.close()
  await host.close()
})

const anna = { person: 'anna' }
const similar = { faceMatchThreshold: 80 }

describe('another account', () => {
  let collectionId: string
  let faceId: string
  let verificationId: string
  let visited: Awaited<ReturnType<typeof visit>>
  beforeEach(async () => {
    collectionId = await newCollection(host)
    faceId = await addFace(host, collectionId, anna)
    const name = `of ${collectionId}`
    const verificationConfig = {
      verifierConfigs: { faceRecognition: { type: 'MatchVerification' as const } },
      webhookConfig: { eventCallbackUrl: receiver.address },
    }
    const made = await host.call(createOrUpdateVerification, { body: { name, verificationConfig } })
    verificationId = made.verificationId
    visited = await visit(host, verificationId, anna, 'reExternalId=anna-7')
    await host.services.deliveries.settle()
  })

  /** Nothing of the owner's has changed. */
  async function expectWhole(): Promise<void> {
    const image = imageOf(anna)
    expect(await host.call(searchFace, { body: { collectionId, image, ...similar } })).toMatchObject({
      faceId,
    })
    const { verificationSessionId } = visited.opened
    expect(await host.call(getSessionResult, { query: { verificationSessionId } })).toEqual(visited.result)
    await host.call(getVerification, { query: { verificationId } })
  }

  test('lists nothing of this one', async () => {
    const ask = { apiKey: stranger }
    const answers = await Promise.all([
      host.call(getAllVerifications, ask),
      host.call(getAllCollections, ask),
      host.call(getKeys, ask),
      host.call(getAccount, ask),
      host.call(getAuditLog, { ...ask, query: {} }),
      host.call(getDeliveries, { ...ask, query: {} }),
      host.call(getDeliveries, {
        ...ask,
        query: { verificationSessionId: visited.opened.verificationSessionId },
      }),
    ])
    const text = JSON.stringify(answers)
    const { keys } = await host.call(getKeys, {})
    const own = [host.accountId, collectionId, verificationId, visited.opened.verificationSessionId, faceId]
    for (const id of [...own, ...keys.map(({ keyId }) => keyId)]) expect(text).not.toContain(id)
  })

  test('deletes nothing of this one by the same names', async () => {
    const apiKey = stranger
    await host.call(deleteCollection, { apiKey, query: { collectionId } })
    await host.call(deleteCollection, { apiKey, query: { collectionId: verificationId } })
    await host.call(deletePerson, { apiKey, query: { externalId: 'anna-7' } })
    await host.call(resetCollection, { apiKey, query: { collectionName: collectionId } })
    await expectWhole()
  })

  test('creates separate things under the same names', async () => {
    const apiKey = stranger
    await host.call(createCollection, { apiKey, body: { collectionId } })
    await host.call(deleteCollection, { apiKey, query: { collectionId } })
    const query = { collectionName: collectionId, includeDemographicalInfo: false }
    const body = { imageData: imageOf(anna).bytes }
    expect((await host.call(verifyDuplicate, { apiKey, query, body })).isDuplicate).toBe(false)
    const named = { name: `of ${collectionId}` }
    expect((await host.call(createOrUpdateVerification, { apiKey, body: named })).wasCreated).toBe(true)
    await expectWhole()
    const { recognitionCollection } = await host.call(getCollection, { apiKey, query: { collectionId } })
    expect(recognitionCollection.description).toBeNull()
  })

  test('changes neither settings nor signing keys of this one', async () => {
    const apiKey = stranger
    const before = await host.call(getAccount, {})
    const queryString = await signedQuery(host, 'a=1')
    await host.call(updateAccount, { apiKey, body: { name: 'Taken over', webhookCarriesKey: false } })
    await host.call(rotateSigningKey, { apiKey, body: { immediately: true } })
    expect(await host.call(getAccount, {})).toEqual(before)
    expect(await host.call(validateSignature, { body: { queryString } })).toEqual({ result: 'Valid' })
    expect((await host.call(verifyAuditLog, { query: {} })).valid).toBe(true)
  })
})
