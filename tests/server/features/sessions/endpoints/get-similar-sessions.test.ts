import { afterEach, beforeEach, expect, test } from 'vitest'
import { deletePerson } from '#shared/contract/account/person.ts'
import { getSimilarSessions } from '#shared/contract/sessions/session-faces.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession, problemOf, submit } from '../../../../support/visit.ts'

let host: Host
let verificationId: string
beforeEach(async () => {
  host = await startHost()
  verificationId = await newVerification(host, {
    verifierConfigs: { faceRecognition: { type: 'CalculationOnly' } },
  })
})
afterEach(() => host.close())

async function come(person: string | null, externalId = '') {
  host.pass(1000)
  const query = externalId === '' ? '' : `reExternalId=${externalId}`
  const opened = await openSession(host, verificationId, query)
  await submit(host, opened, { person })
  return opened.verificationSessionId
}

const similar = async (verificationSessionId: string, more = {}) => {
  const query = { verificationSessionId, ...more }
  const { sessions, ...rest } = await host.call(getSimilarSessions, { query })
  return { ids: sessions.map((one) => one.verificationSessionId), ...rest }
}

test('are those of the same face, newest first, in pages that repeat none', async () => {
  const anna = [await come('anna'), await come('anna'), await come('anna')]
  await come('bert')
  const last = await come('anna')
  expect(await similar(last)).toEqual({ ids: anna.toReversed(), hasFace: true, cursor: null })
  const first = await similar(last, { limit: 2 })
  expect(first.ids).toEqual([anna[2], anna[1]])
  expect(await similar(last, { limit: 2, cursor: first.cursor })).toMatchObject({
    ids: [anna[0]],
    cursor: null,
  })
})

test('are gone with the person and after seven days', async () => {
  await come('anna', 'user-1')
  const second = await come('anna', 'user-2')
  expect((await similar(second)).ids).toHaveLength(1)
  await host.call(deletePerson, { query: { externalId: 'user-1' } })
  expect((await similar(second)).ids).toEqual([])
  const third = await come('anna', 'user-3')
  host.pass(7 * 24 * 3600_000 - 500)
  expect((await similar(third)).ids).toEqual([])
})

test('a session without a face says so, and another account’s is unknown', async () => {
  expect(await similar(await come(null))).toEqual({ ids: [], hasFace: false, cursor: null })
  const { apiKey } = await host.services.accounts.create('Other')
  const query = { verificationSessionId: await come('anna') }
  expect(await problemOf(host.call(getSimilarSessions, { query, apiKey }))).toBe('not_found')
})
