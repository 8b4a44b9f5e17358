import { afterEach, expect, test } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { createCollection, getAllFaces } from '#shared/contract/recognition/recognition.ts'
import { denyFace } from '#shared/contract/sessions/session-faces.ts'
import { reviewSession } from '#shared/contract/sessions/session-list.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { newVerification, openSession, problemOf, submit } from '../../../../support/visit.ts'

const hosts: Host[] = []
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** A person's session, and another process that does something right before the face is added. */
async function meanwhile(
  act: (other: Host, apiKey: string, verificationSessionId: string) => Promise<unknown>,
) {
  const memory = createMemoryStore()
  let first = async () => {}
  const commit: typeof memory.commit = async (writes, guards) => {
    if (writes.some(({ key }) => key.startsWith('denied-face/'))) await first()
    return memory.commit(writes, guards)
  }
  const store = { ...memory, commit }
  const host = await startHost({ store })
  const other = await startHost({ store })
  hosts.push(host, other)
  await host.call(createCollection, { body: { collectionId: 'banned' } })
  const faceRecognition = { type: 'CalculationOnly' as const, denyCollectionIds: ['banned'] }
  const verificationId = await newVerification(host, { verifierConfigs: { faceRecognition } })
  const opened = await openSession(host, verificationId, 'reExternalId=bert')
  await submit(host, opened, { person: 'bert' })
  const { verificationSessionId } = opened
  first = async () => {
    first = async () => {}
    await act(other, host.apiKey, verificationSessionId)
  }
  const body = { verificationSessionId, collectionId: 'banned', expiresInDays: 30 }
  const denying = host.call(denyFace, { body })
  const faces = async () => (await host.call(getAllFaces, { query: { collectionId: 'banned' } })).faces
  return { denying, faces }
}

test('no face is added of a person whom another process erases at that moment', async () => {
  const { denying, faces } = await meanwhile((other, apiKey) =>
    other.call(deletePerson, { apiKey, query: { externalId: 'bert' } }),
  )
  expect(await problemOf(denying)).toBe('not_found')
  expect(await faces()).toEqual([])
})

test('a review by another process at that moment does not prevent it', async () => {
  const { denying, faces } = await meanwhile((other, apiKey, verificationSessionId) =>
    other.call(reviewSession, { apiKey, body: { verificationSessionId, decision: 'Fail' } }),
  )
  const { faceId } = await denying
  expect(await faces()).toMatchObject([{ faceId, externalId: 'bert' }])
})
