import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deletePerson } from '#shared/contract/account/person.ts'
import { getDeliveries } from '#shared/contract/account/webhook.ts'
import { getSession, submitStep } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { fakeJpeg, frameOf } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { recordOf } from '../../../support/session-record.ts'
import { newVerification, openSession, problemOf, submit, visit } from '../../../support/visit.ts'

let host: Host
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  host = await startHost()
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver.close()
  await host.close()
})

const erase = (externalId: string, on = host, apiKey = on.apiKey) =>
  on.call(deletePerson, { query: { externalId }, apiKey })

const recognising = () => ({
  verifierConfigs: { faceRecognition: { type: 'MatchVerification' as const } },
  webhookConfig: { eventCallbackUrl: receiver.address },
})

/** The store's entire contents as text. */
async function contentOf({ store }: Host): Promise<string> {
  let content = ''
  for await (const { key, value } of store.list('')) content += `${key} ${Buffer.from(value).toString()}\n`
  return content
}

describe('DELETE /v1/person/delete', () => {
  test('removes faces, sessions with their results and deliveries, and counts them', async () => {
    const verificationId = await newVerification(host, recognising())
    const first = await openSession(host, verificationId, 'reExternalId=anna-7')
    await submit(host, first, { person: 'anna' })
    const second = await openSession(host, verificationId, 'reExternalId=anna-7')
    await submit(host, second, { person: 'anna' })
    const open = await openSession(host, verificationId, 'reExternalId=anna-7')
    const other = await openSession(host, verificationId, 'reExternalId=berta-8')
    await submit(host, other, { person: 'berta' })
    await host.services.deliveries.settle()

    expect(await erase('anna-7')).toEqual({ facesDeleted: 1, sessionsDeleted: 3, deliveriesDeleted: 2 })
    for (const { verificationSessionId } of [first, second, open]) {
      const query = { verificationSessionId }
      expect(await problemOf(host.call(getSessionResult, { query }))).toBe('not_found')
    }
    expect(await problemOf(host.call(getSession, { bearer: open.bearer }))).toBe('not_found')
    expect(await problemOf(submit(host, open, { person: 'anna' }))).toBe('not_found')
    const query = { verificationSessionId: other.verificationSessionId }
    expect((await host.call(getSessionResult, { query })).verificationResult).toBe('Pass')
    const { deliveries } = await host.call(getDeliveries, { query: {} })
    expect(deliveries.map((delivery) => delivery.verificationSessionId)).toEqual([
      other.verificationSessionId,
    ])
    expect(await erase('anna-7')).toEqual({ facesDeleted: 0, sessionsDeleted: 0, deliveriesDeleted: 0 })
  })

  test('lets the person come back as an unknown one', async () => {
    const verificationId = await newVerification(host, recognising())
    await visit(host, verificationId, { person: 'carla' }, 'reExternalId=carla')
    await erase('carla')
    const query = 'reExternalId=carla&reEnroll=false'
    const { result } = await visit(host, verificationId, { person: 'carla' }, query)
    expect(result.verificationFailedReasons).toEqual(['externalIdUnknown'])
  })

  test('leaves no trace of id or sessions in the store', async () => {
    const own = await startHost()
    const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
    const verificationId = await newVerification(own, live)
    const { opened } = await visit(own, verificationId, { person: 'dora' }, 'reExternalId=dora-9')
    const filmed = await openSession(own, verificationId, 'reExternalId=dora-9')
    own.pass(3000)
    const small = Buffer.from(fakeJpeg({ person: 'dora' }, 128, 96)).toString('base64')
    const body = { step: 0, frames: [frameOf({ person: 'dora' })], trail: [{ bytes: small, time: 0 }] }
    await own.call(submitStep, { bearer: filmed.bearer, body })
    await submit(own, filmed, { person: 'dora' })
    expect(await contentOf(own)).toMatch(/^film-picture\/.*^session-film\//ms)
    expect((await recordOf(own, opened))?.inputs.externalId).toBe('dora-9')
    expect(await contentOf(own)).toContain(opened.verificationSessionId)
    await erase('dora-9', own)
    expect(await recordOf(own, opened)).toBeUndefined()
    expect(await contentOf(own)).not.toContain('dora-9')
    expect(await contentOf(own)).not.toContain(opened.verificationSessionId)
    expect(await contentOf(own)).not.toContain(filmed.verificationSessionId)
    expect(await contentOf(own)).not.toMatch(/^(film-picture|session-film)\//m)
    await own.close()
  })

  test('forgets the failures of the id', async () => {
    const own = await startHost({ ports: { attemptLimit: 1 } })
    const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }
    const verificationId = await newVerification(own, live)
    await submit(own, await openSession(own, verificationId, 'reExternalId=emma'), { person: 'emma' })
    const store = async () => (await contentOf(own)).split('\n').filter((line) => line.startsWith('attempt/'))
    expect(await store()).toHaveLength(3)
    await erase('emma', own)
    expect(await store()).toHaveLength(2)
    await own.close()
  })

  test("does not touch another account's person of the same id", async () => {
    const verificationId = await newVerification(host, recognising())
    const opened = await openSession(host, verificationId, 'reExternalId=same')
    await submit(host, opened, { person: 'fanny' })
    const { apiKey } = await host.services.accounts.create('Other')
    expect(await erase('same', host, apiKey)).toMatchObject({ facesDeleted: 0, sessionsDeleted: 0 })
    const query = { verificationSessionId: opened.verificationSessionId }
    expect((await host.call(getSessionResult, { query })).verificationResult).toBe('Pass')
    expect(await erase('same')).toMatchObject({ facesDeleted: 1, sessionsDeleted: 1 })
  })
})
