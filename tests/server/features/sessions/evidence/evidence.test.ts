import { Buffer } from 'node:buffer'
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import type { Ports } from '#server/app/ports.ts'
import { createEvidence } from '#server/features/sessions/evidence/evidence.ts'
import { createEvidenceRecords, ownerOf } from '#server/features/sessions/records/evidence-records.ts'
import { createKeyRing, type KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Blobs } from '#server/platform/store/blobs/blobs.ts'
import { createMemoryBlobs } from '#server/platform/store/blobs/memory-blobs.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { type Store, singleWrites } from '#server/platform/store/store.ts'
import { createKey } from '#shared/contract/account/account.ts'
import { getAuditLog } from '#shared/contract/account/audit.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getToken } from '#shared/contract/security/security.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { getEvidence, undoReview } from '#shared/contract/sessions/session-evidence.ts'
import { cancelSession, reviewSession } from '#shared/contract/sessions/session-list.ts'
import { getSessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import type { Scene } from '../../../../support/drawn/fake-picture.ts'
import { trueJpeg } from '../../../../support/drawn/true-jpeg.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { recordOf } from '../../../../support/session-record.ts'
import {
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
} from '../../../../support/visit.ts'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close()
})

/** In-memory blobs that tests can inspect. */
function watched(blobs: Blobs = createMemoryBlobs()) {
  const owners = async () => {
    const all: string[] = []
    for await (const owner of blobs.owners()) all.push(owner)
    return all
  }
  const all = async () => (await Promise.all((await owners()).map((owner) => blobs.get(owner)))).flat()
  return { blobs, all }
}

async function started(ports: Partial<Ports> = {}) {
  const host = await startHost({ ports })
  hosts.push(host)
  return host
}

const liveness = { type: 'Verification', evidence: 'optional' } as const
const everybody: VerificationConfig = {
  evidenceConfig: { keep: 'all', hours: 2 },
  privacyConfig: { purpose: 'To open an account' },
  verifierConfigs: { liveness },
}
const doubted: VerificationConfig = { evidenceConfig: { keep: 'review' }, verifierConfigs: { liveness } }

const sent = async (scene: Scene, time = 0, width = 1280) =>
  ({ bytes: (await trueJpeg(scene, width, (width * 3) / 4)).toString('base64'), time }) as const

async function filmed(seconds: number) {
  const times = Array.from({ length: seconds * 6 }, (_, i) => Math.round((i * 1000) / 6))
  return Promise.all(
    times.map(async (time) => ({
      bytes: (await trueJpeg({ person: 'anna' }, 96, 72)).toString('base64'),
      time,
    })),
  )
}

/** Makes a whole visit using pictures that can be decoded. */
async function visited(host: Host, config: VerificationConfig, { live = 1, query = '' } = {}) {
  const opened = await openSession(host, await newVerification(host, config), query)
  const scene = { person: 'anna', live }
  host.pass(10_000)
  let { next } = await host.call(submitStep, {
    bearer: opened.bearer,
    body: { step: 0, frames: [await sent(scene)], trail: await filmed(5) },
  })
  while (next !== null) {
    const body = {
      step: next.step,
      frames: [await sent(scene), await sent({ ...scene, acted: next.action }, 1)],
    }
    next = (await host.call(submitStep, { bearer: opened.bearer, body })).next
  }
  const frames = [{ ...(await sent(scene)), challengeStep: 0 }]
  await host.call(submitSession, { bearer: opened.bearer, body: { frames, consent } })
  return opened
}

const look = (host: Host, { verificationSessionId }: Opened, as = {}) =>
  host.call(getEvidence, { query: { verificationSessionId }, ...as })
const timelineOf = (host: Host, { verificationSessionId }: Opened) =>
  host.call(getSessionTimeline, { query: { verificationSessionId } })
const review = (host: Host, { verificationSessionId }: Opened) =>
  host.call(reviewSession, { body: { verificationSessionId, decision: 'Fail' } })

describe('the stored evidence', () => {
  test('is one picture of each step and the film, re-encoded, sealed and small', async () => {
    const { blobs, all } = watched()
    const host = await started({ blobs })
    const opened = await visited(host, everybody)
    const { pictures, film, expiresAt } = await look(host, opened)
    expect(pictures.map(({ name }) => name).slice(0, 1)).toEqual(['straight'])
    expect(pictures.length).toBeGreaterThanOrEqual(2)
    for (const { bytes, try: tried } of pictures) {
      const picture = Buffer.from(bytes, 'base64')
      const { width, height, format } = await sharp(picture).metadata()
      expect([width, height, format, tried]).toEqual([640, 480, 'jpeg', 1])
      expect(picture.includes('anna')).toBe(false)
    }
    expect(film.length).toBeGreaterThan(10)
    expect(film.length).toBeLessThanOrEqual(16)
    expect(film[0]!.time).toBe(0)
    expect(Date.parse(expiresAt)).toBeCloseTo(host.now() + 2 * 3_600_000, -4)
    const kept = await all()
    expect(kept.map(({ name }) => name)).toEqual(['whole'])
    expect(kept[0]!.bytes.length).toBeLessThanOrEqual(600_000)
    expect(Buffer.from(kept[0]!.bytes).includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false)
    expect((await timelineOf(host, opened)).evidence).toEqual({
      state: 'kept',
      expiresAt,
      isIncomplete: false,
    })
  })

  test('with `review` is kept if there is something to review, and dropped at the end otherwise', async () => {
    const { blobs, all } = watched()
    const host = await started({ blobs })
    const passed = await visited(host, doubted)
    expect((await resultOf(host, passed)).verificationResult).toBe('Pass')
    expect(await problemOf(look(host, passed))).toBe('evidence_not_kept')
    await host.services.evidence.settle()
    expect(await all()).toEqual([])
    expect((await timelineOf(host, passed)).evidence).toMatchObject({ state: 'gone' })
    const unsure = {
      ...doubted,
      verifierConfigs: { liveness: { type: 'Verification', leastAssurance: 'standard' } },
    } as const
    const waiting = await visited(host, unsure)
    expect((await resultOf(host, waiting)).verificationFailedReasons).toContain('assuranceTooLow')
    expect((await look(host, waiting)).pictures.length).toBeGreaterThan(0)
  })

  test('is empty for a session that is open, was cancelled or has expired', async () => {
    const { blobs, all } = watched()
    const host = await started({ blobs })
    for (const end of ['cancelled', 'expired']) {
      const opened = await openSession(host, await newVerification(host, everybody))
      const frames = [await sent({ person: 'anna' })]
      await host.call(submitStep, { bearer: opened.bearer, body: { step: 0, frames } })
      await host.services.evidence.settle()
      expect(await problemOf(look(host, opened))).toBe('evidence_not_kept')
      expect((await timelineOf(host, opened)).evidence).toMatchObject({ state: 'gathered' })
      expect(await all()).toHaveLength(1)
      const { verificationSessionId } = opened
      if (end === 'cancelled') await host.call(cancelSession, { body: { verificationSessionId } })
      else {
        host.pass(16 * 60_000)
        await host.services.expireOverdue()
      }
      expect(await problemOf(look(host, opened))).toBe('evidence_not_kept')
      await host.services.evidence.settle()
      expect(await all()).toEqual([])
    }
  })

  test('is empty by default, and for a visit that was declined', async () => {
    const { blobs, all } = watched()
    const host = await started({ blobs })
    const opened = await visited(host, { verifierConfigs: { liveness } })
    expect(await problemOf(look(host, opened))).toBe('evidence_not_kept')
    expect((await timelineOf(host, opened)).evidence).toBeNull()
    const declining = await openSession(host, await newVerification(host, everybody))
    const step = { step: 0, frames: [await sent({ person: 'anna' })] }
    await host.call(submitStep, { bearer: declining.bearer, body: step })
    const no = { frames: [], consent: { ...consent, given: false } }
    await host.call(submitSession, { bearer: declining.bearer, body: no })
    await host.services.evidence.settle()
    expect(await all()).toEqual([])
  })
})

describe('the stored evidence is deleted', () => {
  test('after its hours, and the sweep leaves none of it', async () => {
    const { blobs, all } = watched()
    const host = await started({ blobs })
    const opened = await visited(host, everybody)
    await look(host, opened)
    host.pass(2 * 3_600_000 - 60_000)
    expect(await host.services.evidence.sweep()).toBe(0)
    await look(host, opened)
    host.pass(60_000)
    expect(await problemOf(look(host, opened))).toBe('evidence_not_kept')
    expect(await host.services.evidence.sweep()).toBe(1)
    expect(await all()).toEqual([])
  })

  test('with its session at the latest, seven days after this began', async () => {
    const host = await started()
    const opened = await visited(host, { ...everybody, evidenceConfig: { keep: 'all', hours: 168 } })
    const until = Date.parse((await look(host, opened)).expiresAt)
    expect(until).toBe((await recordOf(host, opened))!.created + 7 * 24 * 3_600_000)
  })

  test('with the person, at once', async () => {
    const { blobs, all } = watched()
    const host = await started({ blobs })
    const opened = await visited(host, everybody, { query: 'reExternalId=anna-1' })
    await look(host, opened)
    await host.call(deletePerson, { query: { externalId: 'anna-1' } })
    expect(await all()).toEqual([])
    expect(await problemOf(look(host, opened))).toBe('not_found')
  })

  test('ten seconds after a decision, unless that is taken back', async () => {
    const { blobs, all } = watched()
    const host = await started({ blobs })
    const opened = await visited(host, everybody)
    const { expiresAt, pictures, film } = await look(host, opened)
    await review(host, opened)
    const said = (await resultOf(host, opened)).review!
    expect(said.saw).toEqual({ pictures: pictures.length, film: film.length })
    expect(Date.parse((await look(host, opened)).expiresAt)).toBe(Date.parse(said.reviewedAt) + 10_000)
    host.pass(9_000)
    const { verificationSessionId } = opened
    await host.call(undoReview, { body: { verificationSessionId, reviewedAt: said.reviewedAt } })
    expect((await resultOf(host, opened)).review).toBeNull()
    host.pass(60_000)
    expect((await look(host, opened)).expiresAt).toBe(expiresAt)
    await review(host, opened)
    host.pass(10_000)
    expect(await problemOf(look(host, opened))).toBe('evidence_not_kept')
    const late = (await resultOf(host, opened)).review!.reviewedAt
    const undo = host.call(undoReview, { body: { verificationSessionId, reviewedAt: late } })
    expect(await problemOf(undo)).toBe('review_final')
    await host.services.evidence.sweep()
    expect(await all()).toEqual([])
  })
})

test('the key of the pictures is in one record only, whatever else a visit writes and seals', async () => {
  const [memory, ring] = [createMemoryStore(), createKeyRing(Buffer.alloc(32, 7), 'EU')]
  const written: { kind: string; text: string }[] = []
  const sealed: { use: string; content: Buffer }[] = []
  const commit: Store['commit'] = (writes, guards) => {
    for (const write of writes) {
      const value = 'value' in write ? write.value : []
      written.push({ kind: write.key.split('/')[0]!, text: Buffer.from(value).toString('latin1') })
    }
    return memory.commit(writes, guards)
  }
  const seal: KeyRing['seal'] = (use, context, content) => {
    sealed.push({ use, content: Buffer.from(content) })
    return ring.seal(use, context, content)
  }
  const store = { ...memory, ...singleWrites(commit), commit }
  const host = await startHost({ store, ports: { keyRing: { ...ring, seal } } })
  hosts.push(host)
  const listedLonger = { ...everybody, historyConfig: { days: 400 } }
  const opened = await visited(host, listedLonger, { query: 'reExternalId=anna-1' })
  const whose = { accountId: host.accountId, sessionId: opened.verificationSessionId }
  const { key } = (await createEvidenceRecords(memory, ring, host.now).read(whose))!.value
  const raw = ring.open('evidence-key', ownerOf(whose), key)
  await look(host, opened)
  await review(host, opened)
  const forms = (['latin1', 'base64', 'base64url', 'hex'] as const).map((form) => raw.toString(form))
  const holds = (text: string) => [key, ...forms].some((form) => text.includes(form))
  const kinds = written.filter(({ text }) => holds(text)).map(({ kind }) => kind)
  const uses = sealed.filter(({ content }) => holds(content.toString('latin1'))).map(({ use }) => use)
  expect([new Set(kinds), new Set(uses)]).toEqual([new Set(['evidence']), new Set(['evidence-key'])])
  const others = ['session', 'session-row', 'session-past', 'audit-outbox']
  expect(written.map(({ kind }) => kind)).toEqual(expect.arrayContaining(others))
})

describe('a full disk', () => {
  test('loses the pictures and no verdict, and reports it', async () => {
    const lost: unknown[] = []
    const full: Blobs = {
      ...createMemoryBlobs(),
      put: async () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    }
    const host = await started({ blobs: full, onEvidenceLost: (error) => lost.push(error) })
    const opened = await visited(host, everybody)
    expect((await resultOf(host, opened)).verificationResult).toBe('Pass')
    expect(await problemOf(look(host, opened))).toBe('evidence_not_kept')
    expect(lost).not.toHaveLength(0)
    expect((await timelineOf(host, opened)).evidence).toMatchObject({ isIncomplete: true })
    const figures = await host.fetch('/metrics', { headers: { authorization: `ApiKey ${host.apiKey}` } })
    expect(await figures.text()).toMatch(/selfsame_evidence_lost_total [1-9]/)
  })
})

describe('GET /v1/verification/get-evidence', () => {
  test('is only for keys with the scope review, and every look is in the audit log', async () => {
    const host = await started()
    const opened = await visited(host, everybody)
    const { apiKey: weak } = await host.call(createKey, { body: { name: 'weak', scopes: ['configure'] } })
    await expect(look(host, opened, { apiKey: weak })).rejects.toMatchObject({ status: 403 })
    const { token } = await host.call(getToken, { query: {} as never })
    await expect(look(host, opened, { bearer: token })).rejects.toMatchObject({ status: 401 })
    const nothing = await openSession(host, await newVerification(host))
    expect(await problemOf(look(host, nothing))).toBe('evidence_not_kept')
    await look(host, opened)
    await review(host, opened)
    const { entries } = await host.call(getAuditLog, { query: {} as never })
    const looks = entries.filter(({ operation }) => operation === 'getEvidence')
    expect(looks.map(({ outcome }) => outcome).sort()).toEqual(['evidence_not_kept', 'succeeded'])
    const [decided] = entries.filter(({ operation }) => operation === 'reviewSession')
    expect(decided!.resources).toMatchObject({ saw: 'pictures' })
  })
})

describe('evidenceConfig', () => {
  const fault = async (host: Host, verificationConfig: object) =>
    newVerification(host, verificationConfig as VerificationConfig).then(
      () => [],
      ({ errors }: { errors: { pointer: string }[] }) => errors.map(({ pointer }) => pointer),
    )

  test('with `all` needs a purpose; the error names the missing member', async () => {
    const host = await started()
    const all = { evidenceConfig: { keep: 'all' } }
    const missing = ['#/verificationConfig/privacyConfig/purpose']
    expect(await fault(host, all)).toEqual(missing)
    expect(await fault(host, { ...all, privacyConfig: { controller: 'Northwind' } })).toEqual(missing)
    expect(await fault(host, { ...all, privacyConfig: { purpose: 'To open an account' } })).toEqual([])
    expect(await fault(host, { evidenceConfig: { keep: 'review' } })).toEqual([])
  })

  test.each([
    [{ hours: 1 }, []],
    [{ hours: 168 }, []],
    [{ hours: 0 }, ['#/verificationConfig/evidenceConfig/hours']],
    [{ hours: 169 }, ['#/verificationConfig/evidenceConfig/hours']],
    [{ hours: 1.5 }, ['#/verificationConfig/evidenceConfig/hours']],
    [{ keep: 'some' }, ['#/verificationConfig/evidenceConfig/keep']],
    [{ kept: 'all' }, ['#/verificationConfig/evidenceConfig/kept']],
  ])('%j is an error at %j', async (evidenceConfig, pointers) => {
    expect(await fault(await started(), { evidenceConfig })).toEqual(pointers)
  })

  test('is announced to the page, which mentions it at the consent', async () => {
    const host = await started()
    const { capturePlan } = await openSession(host, await newVerification(host, everybody))
    expect(capturePlan.keeps).toEqual({ pictures: 'all', hours: 2 })
    const plain = await openSession(host, await newVerification(host))
    expect(plain.capturePlan).not.toHaveProperty('keeps')
  })
})

test('pending removals end with the process, and a later sweep completes them', async () => {
  const looked: unknown[] = []
  const records = { isOwned: async (owner: string) => looked.push(owner) < 0 }
  const evidence = createEvidence({
    records: records as never,
    blobs: createMemoryBlobs(),
    now: Date.now,
    onLost: (error) => looked.push(error),
  })
  const whose = { accountId: 'a', sessionId: 's' } as never
  evidence.removeLater(whose, 0)
  await new Promise((over) => setTimeout(over, 400))
  expect(looked).toHaveLength(1)
  evidence.removeLater(whose, 0)
  await evidence.stop()
  await new Promise((over) => setTimeout(over, 400))
  expect(looked).toHaveLength(1)
})

test('pictures from another process that arrive during the assembly are included, and nothing twice', async () => {
  const blobs = createMemoryBlobs()
  const lost: unknown[] = []
  const records = {
    read: async () => ({ value: { key: 'sealed', until: Date.now() + 60_000, isKept: true } }),
    keyOf: () => Buffer.alloc(32, 5),
  }
  const process = () =>
    createEvidence({
      records: records as never,
      blobs,
      now: Date.now,
      onLost: (error) => lost.push(error),
    })
  const [one, other] = [process(), process()]
  const session = {
    accountId: 'a',
    sessionId: 's',
    settings: { keeps: { pictures: 'all', hours: 2 } },
  } as never
  const picture = (time: number) =>
    filmed(1).then(([first]) => ({ time, bytes: Buffer.from(first!.bytes, 'base64') }))
  const submission = async (...times: number[]) => ({
    pictures: [],
    trail: await Promise.all(times.map(picture)),
  })
  one.gather(session, await submission(0), [], 1)
  one.settleEnd(session)
  await one.settle()
  other.gather(session, await submission(0, 1000), [], 1)
  await other.settle()
  expect(lost).toEqual([])
  for (const from of [one, other])
    expect((await from.read(session))!.film.map(({ time }) => time)).toEqual([0, 1000])
})
