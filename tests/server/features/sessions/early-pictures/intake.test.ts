import { expect, test } from 'vitest'
import { createIntakes, emptyIntake } from '#server/features/sessions/early-pictures/intake.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryBlobs } from '#server/platform/store/blobs/memory-blobs.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { frameOf } from '../../../../support/drawn/fake-picture.ts'
import { trueJpeg } from '../../../../support/drawn/true-jpeg.ts'
import type { Host } from '../../../../support/host.ts'
import { started } from '../../../../support/hosts/started.ts'
import { consent, newVerification, type Opened, openSession } from '../../../../support/visit.ts'

const anna = { person: 'anna' }

async function begun(host: Host, config: VerificationConfig = {}): Promise<Opened> {
  const liveness = { type: 'Verification', challengeType: 'Balanced', evidence: 'optional' } as const
  return openSession(host, await newVerification(host, { ...config, verifierConfigs: { liveness } }))
}

async function kept(store: Store, kind: string): Promise<Buffer[]> {
  const found: Buffer[] = []
  for await (const { value } of store.list(`${kind}/`)) found.push(Buffer.from(value))
  return found
}

const handIn = (
  host: Host,
  { bearer }: Opened,
  batch: number,
  ...frames: { bytes: string; time: number }[]
) => host.call(submitPictures, { bearer, body: { step: 0, batch, frames } })

test('what was found in a batch is one small sealed record, without a picture, until its step ends', async () => {
  const host = await started()
  const opened = await begun(host)
  const frames = [1, 2, 3].map((i) => frameOf(anna, i))
  for (const [i, frame] of frames.entries()) await handIn(host, opened, i + 1, frame)
  await host.services.finishEarly()
  const found = await kept(host.store, 'session-finding')
  expect(found).toHaveLength(frames.length)
  for (const record of found) expect(record.length).toBeLessThan(16_384)
  const all: Buffer[] = []
  for await (const { value } of host.store.list('')) all.push(Buffer.from(value))
  for (const text of ['"person"', '"observation"', '"receivedAt"', '"batches"'])
    expect([text, all.some((value) => value.includes(text))]).toEqual([text, false])
  for (const { bytes } of frames)
    expect(all.some((value) => value.includes(Buffer.from(bytes, 'base64')))).toBe(false)
  await host.call(submitStep, { bearer: opened.bearer, body: { step: 0, frames: [] } })
  expect(await kept(host.store, 'session-finding')).toEqual([])
})

test('nothing of it is left once the session has ended', async () => {
  const host = await started()
  const opened = await begun(host)
  await handIn(host, opened, 1, frameOf(anna))
  await host.services.finishEarly()
  const body = { frames: [], consent: { ...consent, given: false } }
  await host.call(submitSession, { bearer: opened.bearer, body })
  expect([
    ...(await kept(host.store, 'session-finding')),
    ...(await kept(host.store, 'session-intake')),
  ]).toEqual([])
})

test('a record that is moved to another batch cannot be read', async () => {
  const store = createMemoryStore()
  const intakes = createIntakes(store, createKeyRing(Buffer.alloc(32, 7), 'EU'), Date.now)
  const session = { accountId: 'a', sessionId: 'one', expiresAt: Date.now() + 60_000 }
  const intake = emptyIntake()
  await store.commit([intakes.write(session, intake)], [])
  const places = [1, 2].map((batch) => ({ step: 0, batch }))
  for (const place of places) await intakes.keep(session, intake.id, place, { frames: [], film: [] })
  expect(await intakes.found(session, intake, places[0]!)).toEqual({ frames: [], film: [] })
  const entries: { key: string; value: Uint8Array }[] = []
  for await (const entry of store.list('session-finding/')) entries.push(entry)
  const [one, other] = entries
  await store.put(one!.key, other!.value)
  const found = await Promise.allSettled(places.map((place) => intakes.found(session, intake, place)))
  expect(found.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('with evidence, pictures are kept before the step ends, and leave with the session', async () => {
  const blobs = createMemoryBlobs()
  const host = await started({ ports: { blobs } })
  const ownersNow = async () => {
    const all: string[] = []
    for await (const owner of blobs.owners()) all.push(owner)
    return all
  }
  const privacyConfig = { purpose: 'To open an account' }
  const opened = await begun(host, { evidenceConfig: { keep: 'all', hours: 2 }, privacyConfig })
  const picture = { bytes: (await trueJpeg(anna)).toString('base64'), time: 0 }
  await handIn(host, opened, 1, picture)
  await host.services.finishEarly()
  await host.services.evidence.settle()
  expect(await ownersNow()).toHaveLength(1)
  const without = await begun(host)
  await handIn(host, without, 1, { bytes: (await trueJpeg(anna)).toString('base64'), time: 0 })
  await host.services.finishEarly()
  await host.services.evidence.settle()
  expect(await ownersNow()).toHaveLength(1)
  await host.call(submitStep, { bearer: opened.bearer, body: { step: 0, frames: [] } })
  await host.call(submitSession, { bearer: opened.bearer, body: { frames: [], consent } })
  const query = { verificationSessionId: opened.verificationSessionId }
  expect((await host.call(getEvidence, { query })).pictures).toHaveLength(1)
  host.pass(3 * 3_600_000)
  await host.services.evidence.sweep()
  expect(await ownersNow()).toEqual([])
})
