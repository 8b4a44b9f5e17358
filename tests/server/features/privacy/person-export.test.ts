import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson, exportPerson } from '#shared/contract/account/person.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { newVerification, openSession, resultOf, submit } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ ports: { attemptLimit: 100 } })
})
afterAll(() => host.close())

const of = (externalId: string, credential = {}) =>
  host.call(exportPerson, { query: { externalId }, ...credential })

describe('GET /v1/person/export', () => {
  test('contains everything that deletePerson deletes, with the consent as given', async () => {
    const receiver = await startReceiver()
    const verificationId = await newVerification(host, {
      verifierConfigs: { faceRecognition: { type: 'MatchVerification' } },
      webhookConfig: { eventCallbackUrl: receiver.address },
    })
    const query = 'reExternalId=anna-7&reCorrelationId=c&reLocale=de&a=1&a=2'
    const first = await openSession(host, verificationId, query)
    await submit(host, first, { person: 'anna' })
    host.pass(10)
    const second = await openSession(host, verificationId, 'reExternalId=anna-7')
    await submit(host, second, { person: null })
    const { verificationSessionId } = first
    await host.call(reviewSession, { body: { verificationSessionId, decision: 'Fail', note: 'Not her.' } })
    await host.services.deliveries.settle()
    const found = await of('anna-7')
    expect(found.sessions.map((session) => session.verificationSessionId)).toEqual([
      second.verificationSessionId,
      verificationSessionId,
    ])
    const { environment: _e, tries: _t, review, ...result } = await resultOf(host, first)
    expect(found.sessions[1]).toMatchObject({
      verificationId,
      state: 'Completed',
      source: 'link',
      correlationId: 'c',
      locale: 'de',
      customInputParameters: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
      consent: { given: true, wordingVersion: '1', locale: 'en' },
      deviceReport: null,
      result,
      review,
      deliveries: [{ state: 'delivered' }],
    })
    expect(review?.note).toBe('Not her.')
    expect(found.faces).toMatchObject([{ collectionId: verificationId, faceId: result.faceId }])
    expect(Math.hypot(...found.faces[0]!.embedding)).toBeCloseTo(1, 2)
    expect([found.failedSessions.length, found.failedTries.length]).toEqual([1, 1])
    receiver.close()
    await host.call(deletePerson, { query: { externalId: 'anna-7' } })
    expect(await of('anna-7')).toMatchObject(nothing)
  })

  const nothing = { sessions: [], faces: [], passkeys: [], failedSessions: [], failedTries: [] }

  test('has nothing of an unknown person, nor of one of another account', async () => {
    await openSession(host, await newVerification(host), 'reExternalId=berta')
    expect((await of('berta')).sessions).toMatchObject([{ state: 'Created', consent: null, result: null }])
    const { apiKey } = await host.services.accounts.create('Other')
    for (const found of [await of('nobody'), await of('berta', { apiKey })])
      expect(found).toMatchObject(nothing)
  })

  test('is in the audit log, which does not name the person', async () => {
    await of('carla-1')
    const { entries } = await host.call(getAuditLog, { query: {} as never })
    expect(entries[0]).toMatchObject({ operation: 'exportPerson', outcome: 'succeeded' })
    expect(JSON.stringify(entries)).not.toContain('carla-1')
  })
})
