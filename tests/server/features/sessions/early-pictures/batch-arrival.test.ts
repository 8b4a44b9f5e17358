import { describe, expect, test } from 'vitest'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { initRedirectSession, limits, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { trailLimits } from '#shared/contract/sessions/trail.ts'
import { encodeMultipart } from '#web/capture/sending/multipart.ts'
import { createFakeAnalysis } from '../../../../support/drawn/fake-analysis.ts'
import { fakeJpeg, frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import type { Host } from '../../../../support/host.ts'
import { started } from '../../../../support/hosts/started.ts'
import { recordOf } from '../../../../support/session-record.ts'
import {
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
  resultOf,
  signedQuery,
  step,
  submit,
} from '../../../../support/visit.ts'

const anna = { person: 'anna' }

async function begun(host: Host) {
  const liveness = { type: 'Verification', challengeType: 'Balanced' } as const
  return openSession(host, await newVerification(host, { verifierConfigs: { liveness } }))
}

type Frame = ReturnType<typeof frameOf>

function handIn(host: Host, { bearer }: Opened, place: { step: number; batch: number }, ...frames: Frame[]) {
  return host.call(submitPictures, { bearer, body: { ...place, frames } })
}

function filmed(host: Host, { bearer }: Opened, batch: number, count: number, size = 128) {
  const trail = Array.from({ length: count }, (_, time) => ({
    bytes: Buffer.from(fakeJpeg({ ...anna, shot: batch * 1000 + time }, size, 96)).toString('base64'),
    time,
  }))
  return host.call(submitPictures, { bearer, body: { step: 0, batch, frames: [], trail } })
}

function close(host: Host, { bearer }: Opened, number: number) {
  return host.call(submitStep, { bearer, body: { step: number, frames: [] } })
}

/** A picture of a million bytes. */
function large(shot: number): Frame {
  const bytes = Buffer.concat([fakeJpeg({ ...anna, shot }), Buffer.alloc(1_000_000)])
  return { bytes: bytes.toString('base64'), time: shot }
}

/** An analysis that answers nothing until it is allowed to. */
function held() {
  const fake = createFakeAnalysis()
  let letGo = () => {}
  const gate = new Promise<void>((over) => {
    letGo = over
  })
  const analyse: AnalysisService['analyse'] = async (...request) => {
    await gate
    return fake.analyse(...request)
  }
  return { ...fake, analyse, letGo: () => letGo() }
}

const scenesOf = async (host: Host, opened: Opened) => (await recordOf(host, opened))!.observations.length

describe('the answer to a batch', () => {
  test('has the same status, headers and body whatever its pictures show, even nothing that can be decoded', async () => {
    const host = await started()
    const empty = Buffer.from(fakeJpeg(anna))
      .toString('latin1')
      .replace(/\{.*\}/, (scene) => ' '.repeat(scene.length))
    const shown: Frame[] = [
      frameOf(anna),
      frameOf({ person: null }),
      frameOf({ ...anna, live: 0 }),
      frameOf({ ...anna, others: 3 }),
      { bytes: Buffer.from(empty, 'latin1').toString('base64'), time: 0 },
    ]
    const answers = []
    for (const frame of shown) {
      const opened = await begun(host)
      const answer = await host.fetch(submitPictures.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${opened.bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ step: 0, batch: 1, frames: [frame] }),
      })
      const headers = Object.fromEntries(answer.headers)
      for (const name of ['date', 'x-request-id', 'selfsame-request-id']) delete headers[name]
      answers.push({ status: answer.status, headers, body: await answer.text() })
    }
    expect(answers[0]).toMatchObject({ status: 202, body: '{}' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  test('comes before anything is analysed', async () => {
    const analysis = held()
    const host = await started({ ports: { analysis } })
    const opened = await begun(host)
    expect(await handIn(host, opened, { step: 0, batch: 1 }, frameOf(anna))).toEqual({})
    expect(analysis.calls).toBe(0)
    analysis.letGo()
    await close(host, opened, 0)
    expect(await scenesOf(host, opened)).toBe(1)
  })

  test('is the same to a known batch, also if the session may hold no more', async () => {
    const analysis = held()
    const host = await started({ ports: { analysis } })
    const opened = await begun(host)
    for (const batch of [1, 2, 3, 4]) await handIn(host, opened, { step: 0, batch }, large(batch))
    expect(await problemOf(handIn(host, opened, { step: 0, batch: 5 }, large(5)))).toBe('overloaded')
    expect(await handIn(host, opened, { step: 0, batch: 4 }, large(4))).toEqual({})
    analysis.letGo()
  })
})

describe('a batch that comes again with other pictures', () => {
  test('replaces nothing', async () => {
    const host = await started()
    const opened = await begun(host)
    await handIn(host, opened, { step: 0, batch: 1 }, frameOf({ person: 'bert' }))
    await handIn(host, opened, { step: 0, batch: 1 }, frameOf(anna))
    const { next } = await step(host, opened, 0, anna)
    if (next !== null) await step(host, opened, next.step, { ...anna, acted: next.action })
    await submit(host, opened, anna)
    expect((await resultOf(host, opened)).verificationFailedReasons).toContain('personChanged')
  })

  test('withdraws nothing either if the process that had it has died', async () => {
    let ahead = 0
    const store = createMemoryStore(() => Date.now() + ahead)
    const issuer = () => 'http://127.0.0.1:1'
    const one = await started({ store, ports: { issuer, analysis: held() } })
    const other = await started({ store, ports: { issuer } })
    const opened = await begun(one)
    await handIn(one, opened, { step: 0, batch: 1 }, frameOf({ person: 'bert' }))
    ahead = 7000
    await handIn(other, opened, { step: 0, batch: 1 }, frameOf(anna))
    await step(other, opened, 0, anna)
    expect(await scenesOf(one, opened)).toBe(1)
    expect((await recordOf(one, opened))!.frameCount).toBe(2)
  })
})

describe('the limits of a film', () => {
  test('count all batches: the 241st picture is refused, and none of its batch is kept', async () => {
    const host = await started()
    const opened = await begun(host)
    host.pass(60_000)
    await filmed(host, opened, 1, trailLimits.inAll - 10)
    expect(await problemOf(filmed(host, opened, 2, 11))).toBe('invalid_request')
    await filmed(host, opened, 3, 10)
    expect(await problemOf(filmed(host, opened, 4, 1))).toBe('invalid_request')
    await step(host, opened, 0, anna)
    expect((await recordOf(host, opened))!.trail).toHaveLength(trailLimits.inAll)
  })

  test('allow eight a second since the session was opened, over all batches', async () => {
    const host = await started()
    const opened = await begun(host)
    host.pass(5000)
    await filmed(host, opened, 1, 30)
    expect(await problemOf(filmed(host, opened, 2, 20))).toBe('invalid_request')
    host.pass(2000)
    await filmed(host, opened, 2, 20)
  })

  test('count against the film of the call that ends the step', async () => {
    const host = await started()
    const opened = await begun(host)
    host.pass(60_000)
    await filmed(host, opened, 1, trailLimits.inAll)
    const picture = { bytes: Buffer.from(fakeJpeg(anna, 128, 96)).toString('base64'), time: 0 }
    const body = { step: 0, frames: [frameOf(anna)], trail: [picture] }
    expect(await problemOf(host.call(submitStep, { bearer: opened.bearer, body }))).toBe('invalid_request')
  })
})

test('a batch with one picture that breaks a limit is refused whole', async () => {
  const host = await started()
  const opened = await begun(host)
  const heavy = Buffer.concat([fakeJpeg(anna), Buffer.alloc(limits.frameBytes)]).toString('base64')
  const refused = handIn(host, opened, { step: 0, batch: 1 }, frameOf(anna), { bytes: heavy, time: 1 })
  expect(await problemOf(refused)).toBe('invalid_request')
  expect(await problemOf(filmed(host, opened, 1, 1, 129))).toBe('invalid_request')
  expect(await problemOf(close(host, opened, 0))).toBe('invalid_request')
  await step(host, opened, 0, anna)
  expect((await recordOf(host, opened))!.frameCount).toBe(1)
})

describe('the memory of a process', () => {
  test('is bounded: sessions beyond it are asked to come again, and another account is served', async () => {
    const analysis = held()
    const host = await started({ ports: { analysis, mostEarlyBytes: 5_000_000 } })
    const verificationId = await newVerification(host)
    const sessions = await Promise.all(Array.from({ length: 12 }, () => openSession(host, verificationId)))
    const sent = await Promise.allSettled(
      sessions.map((opened, i) => handIn(host, opened, { step: 0, batch: 1 }, large(i))),
    )
    const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(sessions.length - 4)
    for (const problem of refused) expect(problem).toMatchObject({ status: 503, retryAfterInSeconds: 2 })
    const { apiKey } = await host.services.accounts.create('Another account')
    const detected = host.call(detectFaces, { apiKey, body: { image: { bytes: frameOf(anna).bytes } } })
    analysis.letGo()
    expect((await detected).faces).toHaveLength(1)
    const again = sessions.filter((_, i) => sent[i]!.status === 'rejected').slice(0, 4)
    for (const [i, opened] of again.entries())
      await expect
        .poll(() => problemOf(handIn(host, opened, { step: 0, batch: 1 }, large(i))))
        .toBe('no problem')
    await host.services.finishEarly()
  })

  test('is free again once the pictures are analysed', async () => {
    const host = await started({ ports: { mostEarlyBytes: 1_100_000 } })
    const opened = await begun(host)
    for (const batch of [1, 2, 3]) {
      await handIn(host, opened, { step: 0, batch }, large(batch))
      await host.services.finishEarly()
    }
    await close(host, opened, 0)
    expect(await scenesOf(host, opened)).toBe(3)
  })
})

describe('multipart with binary parts', () => {
  const parts = (scenes: readonly Scene[], from: number) =>
    scenes.map((scene, i) => ({
      bytes: Buffer.from(frameOf(scene).bytes, 'base64'),
      time: from + i,
    }))

  test('is taken by all three calls, and gives the verdict that JSON gives', async () => {
    const host = await started()
    const opened = await begun(host)
    const send = async (
      path: string,
      members: Record<string, unknown>,
      frames: readonly { bytes: Uint8Array; time: number; challengeStep?: number }[],
    ) => {
      const { type, bytes } = encodeMultipart(members, { frames })
      const headers = { authorization: `Bearer ${opened.bearer}`, 'content-type': type }
      const answer = await host.fetch(path, { method: 'POST', headers, body: bytes })
      return { status: answer.status, body: await answer.json() }
    }
    host.pass(3000)
    const first = await send(submitPictures.path, { step: 0, batch: 1 }, parts([anna, anna], 0))
    expect(first).toEqual({ status: 202, body: {} })
    const closed = await send(submitStep.path, { step: 0 }, parts([anna], 10))
    const { next } = closed.body as { next: { step: number; action: string } }
    host.pass(3000)
    const acted = { ...anna, acted: next.action }
    await send(submitPictures.path, { step: next.step, batch: 1 }, parts([anna, acted], 20))
    const answered = await send(submitStep.path, { step: next.step }, parts([acted], 30))
    expect(answered).toEqual({ status: 200, body: { next: null, accepted: true } })
    host.pass(3000)
    const last = parts([anna], 40).map((one) => ({ ...one, challengeStep: next.step }))
    const submitted = await send(submitSession.path, { consent }, last)
    expect(submitted.body).toMatchObject({ verificationResult: 'Pass' })
    expect((await recordOf(host, opened))!.frameCount).toBe(6)
  })
})

describe('pictures count for the step that they name', () => {
  test('if it failed', async () => {
    const host = await started()
    const opened = await begun(host)
    const { next } = await step(host, opened, 0, anna)
    await handIn(host, opened, { step: next!.step, batch: 1 }, frameOf({ person: 'bert' }))
    expect((await close(host, opened, next!.step)).accepted).toBe(false)
    const { step: again, action } = (await recordOf(host, opened))!.progress.open!
    await step(host, opened, again, { ...anna, acted: action! })
    await submit(host, opened, anna)
    expect((await resultOf(host, opened)).verificationFailedReasons).toContain('personChanged')
  })

  test('if it was skipped, because the session was submitted without ending it', async () => {
    const host = await started()
    const opened = await begun(host)
    const { next } = await step(host, opened, 0, anna)
    await handIn(host, opened, { step: next!.step, batch: 1 }, frameOf({ person: 'bert' }))
    await submit(host, opened, anna)
    const { verificationFailedReasons } = await resultOf(host, opened)
    expect(verificationFailedReasons).toEqual(expect.arrayContaining(['personChanged', 'challengeFailed']))
  })
})

describe('the call that ends a step', () => {
  test('judges in the order of arrival, whichever batch is analysed first', async () => {
    const fake = createFakeAnalysis()
    const analyse: AnalysisService['analyse'] = async (...request) => {
      if (Buffer.from(request[0]).includes('"slow"')) await new Promise((over) => setTimeout(over, 300))
      return fake.analyse(...request)
    }
    const host = await started({ ports: { analysis: { ...fake, analyse } } })
    const opened = await begun(host)
    const at = (time: number, scene: Scene = anna) => frameOf(scene, time)
    await handIn(host, opened, { step: 0, batch: 2 }, at(100, { ...anna, acted: 'slow' }))
    await handIn(host, opened, { step: 0, batch: 1 }, at(200))
    const body = { step: 0, frames: [at(300)] }
    await host.call(submitStep, { bearer: opened.bearer, body })
    const { observations } = (await recordOf(host, opened))!
    expect(observations.map(({ time }) => time)).toEqual([100, 200, 300])
  })

  test.each([
    ['submit-step', (host: Host, opened: Opened) => close(host, opened, 0)],
    [
      'submit-session',
      (host: Host, { bearer }: Opened) => host.call(submitSession, { bearer, body: { frames: [], consent } }),
    ],
  ] as const)('%s waits at most two seconds, and uses no try', async (_name, end) => {
    const analysis = held()
    const host = await started({ ports: { analysis } })
    const opened = await openSession(host, await newVerification(host))
    await handIn(host, opened, { step: 0, batch: 1 }, frameOf(anna))
    const before = await recordOf(host, opened)
    await expect(end(host, opened)).rejects.toMatchObject({ status: 503, retryAfterInSeconds: 1 })
    expect(await recordOf(host, opened)).toEqual(before)
    analysis.letGo()
    expect(await problemOf(end(host, opened))).toBe('no problem')
  })
})

describe('the time of the open step begins again', () => {
  const late = 9000

  test('if another device hands the session back, and its pictures are dropped', async () => {
    const host = await started()
    const opened = await begun(host)
    const { code } = await host.call(createHandoff, { bearer: opened.bearer })
    const taken = await host.call(takeHandoff, { body: { code } })
    const phone = { ...opened, bearer: taken.sessionToken }
    const { next } = await step(host, phone, 0, anna)
    await handIn(host, phone, { step: 1, batch: 1 }, frameOf({ person: 'bert' }))
    host.pass(late)
    await host.call(cancelHandoff, { bearer: opened.bearer })
    host.pass(late)
    await handIn(host, opened, { step: 1, batch: 1 }, frameOf({ ...anna, acted: next!.action }))
    expect(await close(host, opened, 1)).toMatchObject({ accepted: true })
    expect(await scenesOf(host, opened)).toBe(2)
  })

  test('if the link is opened again', async () => {
    const host = await started()
    const liveness = { type: 'Verification', challengeType: 'Balanced' } as const
    const verificationId = await newVerification(host, { verifierConfigs: { liveness } })
    const queryString = await signedQuery(host, '', { enableNonce: true, expirationInSeconds: 600 })
    const body = { verificationId, queryString, resumeSecret: 'A'.repeat(43) }
    const open = async () => {
      const opened = await host.call(initRedirectSession, { body })
      return { ...opened, bearer: opened.sessionToken }
    }
    const { next } = await step(host, await open(), 0, anna)
    host.pass(late)
    const again = await open()
    host.pass(late)
    await handIn(host, again, { step: 1, batch: 1 }, frameOf({ ...anna, acted: next!.action }))
    expect(await close(host, again, 1)).toMatchObject({ accepted: true })
  })
})

describe('a batch that a second process receives before the first is known to be dead', () => {
  async function two(first: AnalysisService) {
    let ahead = 0
    const store = createMemoryStore(() => Date.now() + ahead)
    const put: typeof store.put = async (key, ...rest) => {
      if (ahead > 0 && key.startsWith('intake-worker/')) throw new Error('This process is dead.')
      return store.put(key, ...rest)
    }
    const issuer = () => 'http://127.0.0.1:1'
    const one = await started({ store: { ...store, put }, ports: { issuer, analysis: first } })
    const analysis = createFakeAnalysis()
    const other = await started({ store, ports: { issuer, analysis } })
    const third = await started({ store, ports: { issuer } })
    const opened = await begun(one)
    const frame = frameOf(anna)
    for (const host of [one, other]) await handIn(host, opened, { step: 0, batch: 1 }, frame)
    const die = () => {
      ahead = 7000
    }
    return { opened, one, third, analysis, die }
  }

  test('is analysed by the second, and any process waits for it', async () => {
    const { opened, one, third, analysis, die } = await two(held())
    expect(analysis.calls).toBe(0)
    die()
    // The second process takes the batch over when it looks again, and its next pulse is due by then.
    await expect.poll(() => analysis.calls, { timeout: 10_000 }).toBeGreaterThan(0)
    await expect.poll(() => problemOf(close(third, opened, 0)), { timeout: 10_000 }).toBe('no problem')
    expect(await scenesOf(one, opened)).toBe(1)
  })

  test('is not analysed again if the first lives', async () => {
    const first = held()
    const { opened, one, third, analysis } = await two(first)
    first.letGo()
    await close(third, opened, 0)
    await new Promise((over) => setTimeout(over, 1200))
    expect(analysis.calls).toBe(0)
    expect(await scenesOf(one, opened)).toBe(1)
  })
})
