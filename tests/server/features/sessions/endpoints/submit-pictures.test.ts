import { describe, expect, test } from 'vitest'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import {
  getSession,
  initRedirectSession,
  limits,
  submitSession,
  submitStep,
} from '#shared/contract/sessions/session.ts'
import { createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { createFakeAnalysis } from '../../../../support/drawn/fake-analysis.ts'
import { frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import type { Host } from '../../../../support/host.ts'
import { started } from '../../../../support/hosts/started.ts'
import { recordOf } from '../../../../support/session-record.ts'
import {
  act,
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
const photograph = { person: 'anna', live: 0 }

async function begun(host: Host, allowAlternative = false) {
  const liveness = { type: 'Verification', challengeType: 'Balanced', allowAlternative } as const
  return openSession(host, await newVerification(host, { verifierConfigs: { liveness } }))
}

function handIn(host: Host, { bearer }: Opened, place: { step: number; batch: number }, ...scenes: Scene[]) {
  return host.call(submitPictures, {
    bearer,
    body: { ...place, frames: scenes.map((scene) => frameOf(scene)) },
  })
}

function close(host: Host, { bearer }: Opened, number: number) {
  return host.call(submitStep, { bearer, body: { step: number, frames: [] } })
}

function finish(host: Host, { bearer }: Opened) {
  return host.call(submitSession, { bearer, body: { frames: [], consent } })
}

/** Makes a visit that sends all its pictures early, as far as its last action. */
async function acted(host: Host, opened: Opened, scene: Scene) {
  await handIn(host, opened, { step: 0, batch: 1 }, scene)
  const { next } = await close(host, opened, 0)
  await handIn(host, opened, { step: next!.step, batch: 1 }, scene, { ...scene, acted: next!.action })
  return { next: next!, answer: await close(host, opened, next!.step) }
}

describe('pictures that are handed in while a step is acted', () => {
  test('are judged with it, and the visit passes without a picture in any other call', async () => {
    const host = await started()
    const opened = await begun(host)
    const { next, answer } = await acted(host, opened, anna)
    expect(answer).toEqual({ next: null, accepted: true })
    await handIn(host, opened, { step: next.step, batch: 2 }, anna)
    expect(await finish(host, opened)).toMatchObject({ verificationResult: 'Pass' })
    expect(host.errors).toEqual([])
  })

  test('are answered alike whatever they show, with 202 and an empty object', async () => {
    const host = await started()
    const opened = await begun(host)
    const answers = []
    for (const [i, scene] of [anna, { person: null }, photograph].entries()) {
      const { bytes } = frameOf(scene)
      const answer = await host.fetch(submitPictures.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${opened.bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ step: 0, batch: i + 1, frames: [{ bytes, time: i }] }),
      })
      answers.push([answer.status, await answer.text()])
    }
    expect(answers).toEqual(Array(3).fill([202, '{}']))
  })

  test.each([
    ['early, a photograph at the close', anna, photograph],
    ['at the close, a photograph early', photograph, anna],
  ])('cannot be swapped: a living person %s fails', async (_when, early, late) => {
    const host = await started()
    const opened = await begun(host)
    await handIn(host, opened, { step: 0, batch: 1 }, early)
    const { next } = await step(host, opened, 0, late)
    await handIn(host, opened, { step: 1, batch: 1 }, { ...early, acted: next!.action })
    await act(host, opened, next!, late)
    await handIn(host, opened, { step: 1, batch: 2 }, early)
    expect(await submit(host, opened, late)).toMatchObject({ verificationResult: 'Fail' })
  })

  test.each([
    ['early', 'bert', 'anna'],
    ['at the close', 'anna', 'bert'],
  ])('of another person %s fail the session', async (_when, early, late) => {
    const host = await started()
    const opened = await begun(host)
    await handIn(host, opened, { step: 0, batch: 1 }, { person: early })
    const { next } = await step(host, opened, 0, { person: late })
    if (next !== null) await act(host, opened, next, { person: late })
    expect(await submit(host, opened, { person: late })).toMatchObject({ verificationResult: 'Fail' })
    expect((await resultOf(host, opened)).verificationFailedReasons).toContain('personChanged')
  })

  test('count against the limit once, on arrival: the 25th frame is refused and not kept', async () => {
    const host = await started()
    const opened = await begun(host)
    const many = Array.from({ length: limits.framesInAll - 1 }, () => anna)
    await handIn(host, opened, { step: 0, batch: 1 }, ...many)
    expect(await problemOf(handIn(host, opened, { step: 0, batch: 2 }, anna, anna))).toBe('invalid_request')
    await handIn(host, opened, { step: 0, batch: 3 }, anna)
    expect(await problemOf(step(host, opened, 0, anna))).toBe('invalid_request')
    await close(host, opened, 0)
    expect((await recordOf(host, opened))!.frameCount).toBe(limits.framesInAll)
    expect(await problemOf(handIn(host, opened, { step: 1, batch: 1 }, anna))).toBe('invalid_request')
  })

  test('count against the limit if several batches arrive at once', async () => {
    const memory = createMemoryStore()
    const commit: typeof memory.commit = async (writes, guards) => {
      await new Promise((over) => setTimeout(over, 30))
      return memory.commit(writes, guards)
    }
    const host = await started({ store: { ...memory, commit } })
    const opened = await begun(host)
    const many = Array.from({ length: limits.framesInAll / 2 + 1 }, () => anna)
    const sent = [1, 2, 3].map((batch) => handIn(host, opened, { step: 0, batch }, ...many))
    const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    await close(host, opened, 0)
    expect((await recordOf(host, opened))!.frameCount).toBe(many.length)
  })

  test('that come again change nothing, also once their step has ended', async () => {
    const host = await started()
    const opened = await begun(host)
    const send = () => handIn(host, opened, { step: 0, batch: 1 }, anna)
    await Promise.all([send(), send(), send()])
    await close(host, opened, 0)
    expect((await recordOf(host, opened))!.observations).toHaveLength(1)
    await send()
    expect((await recordOf(host, opened))!.frameCount).toBe(1)
  })

  test('belong to the open step alone', async () => {
    const host = await started()
    const opened = await begun(host)
    expect(await problemOf(handIn(host, opened, { step: 1, batch: 1 }, anna))).toBe('step_not_open')
    await step(host, opened, 0, anna)
    expect(await problemOf(handIn(host, opened, { step: 0, batch: 1 }, anna))).toBe('step_not_open')
  })

  test('are at least one, and of the step that the batch names', async () => {
    const host = await started()
    const opened = await begun(host)
    expect(await problemOf(handIn(host, opened, { step: 0, batch: 1 }))).toBe('invalid_request')
    const body = { step: 0, batch: 1, frames: [{ ...frameOf(anna), challengeStep: 1 }] }
    expect(await problemOf(host.call(submitPictures, { bearer: opened.bearer, body }))).toBe(
      'invalid_request',
    )
  })

  test('need no step of their own: a picture that cannot be decoded shows nothing', async () => {
    const host = await started()
    const opened = await begun(host)
    const empty = Buffer.from(frameOf(anna).bytes, 'base64')
      .toString('latin1')
      .replace(/\{.*\}/, (scene) => ' '.repeat(scene.length))
    const frames = [{ bytes: Buffer.from(empty, 'latin1').toString('base64'), time: 0 }, frameOf(anna)]
    await host.call(submitPictures, { bearer: opened.bearer, body: { step: 0, batch: 1, frames } })
    await close(host, opened, 0)
    expect((await recordOf(host, opened))!.observations).toHaveLength(1)
    expect((await recordOf(host, opened))!.frameCount).toBe(2)
  })
})

describe('a step with pictures that were handed in', () => {
  test('that came after its time is late, whatever they show', async () => {
    const host = await started()
    const opened = await begun(host)
    const { next } = await step(host, opened, 0, anna)
    host.pass(13_000)
    await handIn(host, opened, { step: 1, batch: 1 }, { ...anna, acted: next!.action })
    expect((await close(host, opened, 1)).accepted).toBe(false)
    expect((await recordOf(host, opened))!.progress.answered.at(-1)!.reason).toBe('late')
  })

  test('that is exchanged keeps them, and they do not answer the other action', async () => {
    const host = await started()
    const opened = await begun(host, true)
    const { next } = await step(host, opened, 0, anna)
    await handIn(host, opened, { step: 1, batch: 1 }, { ...anna, acted: next!.action })
    host.pass(500)
    const body = { step: 1, frames: [], request: 'otherAction' as const }
    const other = (await host.call(submitStep, { bearer: opened.bearer, body })).next!
    expect(other.action).not.toBe(next!.action)
    await handIn(host, opened, { step: 1, batch: 2 }, anna, { ...anna, acted: other.action })
    expect(await close(host, opened, 1)).toMatchObject({ accepted: true })
    expect((await recordOf(host, opened))!.observations).toHaveLength(4)
  })

  test('is judged by those of before as well, if only more time was asked for', async () => {
    const host = await started()
    const opened = await begun(host)
    const { next } = await step(host, opened, 0, anna)
    await handIn(host, opened, { step: 1, batch: 1 }, { ...anna, acted: next!.action })
    const body = { step: 1, frames: [], request: 'moreTime' as const }
    await host.call(submitStep, { bearer: opened.bearer, body })
    await handIn(host, opened, { step: 1, batch: 2 }, anna)
    expect(await close(host, opened, 1)).toMatchObject({ accepted: true })
  })

  test('that a reloaded page begins again has lost them, and its time runs anew', async () => {
    const host = await started()
    const opened = await begun(host)
    const { next } = await step(host, opened, 0, anna)
    await handIn(host, opened, { step: 1, batch: 1 }, { ...anna, acted: next!.action })
    host.pass(9000)
    const body = { step: 1, frames: [], request: 'startOver' as const }
    const again = await host.call(submitStep, { bearer: opened.bearer, body })
    expect(again.next).toEqual(next)
    expect(await problemOf(close(host, opened, 1))).toBe('invalid_request')
    host.pass(4000)
    await handIn(host, opened, { step: 1, batch: 1 }, { ...anna, acted: next!.action })
    expect(await close(host, opened, 1)).toMatchObject({ accepted: true })
  })

  test('that another device takes over has lost them', async () => {
    const host = await started()
    const opened = await begun(host)
    await handIn(host, opened, { step: 0, batch: 1 }, { person: 'bert' })
    const { code } = await host.call(createHandoff, { bearer: opened.bearer, body: {} as never })
    const taken = await host.call(takeHandoff, { body: { code } })
    const phone = { ...opened, bearer: taken.sessionToken }
    expect(await problemOf(handIn(host, opened, { step: 0, batch: 2 }, anna))).toBe('session_handed_over')
    await handIn(host, phone, { step: 0, batch: 1 }, anna)
    await close(host, phone, 0)
    expect((await recordOf(host, opened))!.observations).toHaveLength(1)
  })

  test('refuses those of a session that has ended', async () => {
    const host = await started()
    const opened = await begun(host)
    await step(host, opened, 0, anna)
    await finishDeclined(host, opened)
    expect(await problemOf(handIn(host, opened, { step: 1, batch: 1 }, anna))).toBe('session_closed')
  })

  test('whose link is opened again has lost them, and refuses those of the former page', async () => {
    const host = await started()
    const verificationId = await newVerification(host)
    const nonce = { enableNonce: true, expirationInSeconds: 600 }
    const queryString = await signedQuery(host, '', nonce)
    const body = { verificationId, queryString, resumeSecret: 'A'.repeat(43) }
    const open = async () => {
      const opened = await host.call(initRedirectSession, { body })
      return { ...opened, bearer: opened.sessionToken }
    }
    const [former, page] = [await open(), await open()]
    expect(await problemOf(handIn(host, former, { step: 0, batch: 1 }, anna))).toBe('session_token_ended')
    await handIn(host, page, { step: 0, batch: 1 }, { person: 'bert' })
    const last = await open()
    await handIn(host, last, { step: 0, batch: 1 }, anna)
    await close(host, last, 0)
    expect((await recordOf(host, last))!.observations).toHaveLength(1)
  })
})

function finishDeclined(host: Host, { bearer }: Opened) {
  return host.call(submitSession, { bearer, body: { frames: [], consent: { ...consent, given: false } } })
}

describe('the look after the last action', () => {
  test('is none if it arrived before the server accepted that action', async () => {
    const host = await started()
    const liveness = { type: 'Verification', challengeType: 'Balanced', evidence: 'required' } as const
    const opened = await openSession(host, await newVerification(host, { verifierConfigs: { liveness } }))
    const { next } = await acted(host, opened, anna)
    expect(await problemOf(finish(host, opened))).toBe('no problem')
    const { verificationFailedReasons } = await resultOf(host, opened)
    expect(verificationFailedReasons).toContain('evidenceMissing')
    expect(next.step).toBe(1)
  })

  test('fails the session if it shows another movement, handed in early as well', async () => {
    const host = await started()
    const opened = await begun(host)
    const { next } = await acted(host, opened, anna)
    const other = next.action === 'turnLeft' ? 'turnRight' : 'turnLeft'
    await handIn(host, opened, { step: next.step, batch: 2 }, { ...anna, acted: other })
    expect(await submit(host, opened, anna)).toMatchObject({ verificationResult: 'Fail' })
  })
})

describe('with several processes', () => {
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

  async function two(analyses: readonly AnalysisService[]) {
    const store = createMemoryStore()
    const issuer = () => 'http://127.0.0.1:1'
    const [one, other] = (await Promise.all(
      analyses.map((analysis) => started({ store, ports: { issuer, analysis } })),
    )) as [Host, Host]
    return { one, other, opened: await begun(one) }
  }

  test('one batch that is sent to two is taken in once, and any of them ends the step', async () => {
    const { one, other, opened } = await two([createFakeAnalysis(), createFakeAnalysis()])
    const frames = [frameOf(anna)]
    const body = { step: 0, batch: 1, frames }
    const { bearer } = opened
    await Promise.all([one, other].map((host) => host.call(submitPictures, { bearer, body })))
    await close(other, opened, 0)
    expect((await recordOf(one, opened))!.observations).toHaveLength(1)
  })

  test('the end of a step waits for what another one analyses, and says when it takes too long', async () => {
    const slow = held()
    const { one, other, opened } = await two([slow, createFakeAnalysis()])
    await handIn(one, opened, { step: 0, batch: 1 }, anna)
    const refused = close(other, opened, 0)
    expect(await problemOf(refused)).toBe('overloaded')
    expect((await recordOf(one, opened))!.tries).toBe(0)
    slow.letGo()
    expect(await close(other, opened, 0)).toMatchObject({ accepted: true })
  })

  test('pictures of one that died are lost, and taken in by another one if they come again', async () => {
    const issuer = () => 'http://127.0.0.1:1'
    const dying = held()
    let ahead = 0
    const shared = createMemoryStore(() => Date.now() + ahead)
    const one = await started({ store: shared, ports: { issuer, analysis: dying } })
    const other = await started({ store: shared, ports: { issuer, analysis: createFakeAnalysis() } })
    const opened = await begun(one)
    const body = { step: 0, batch: 1, frames: [frameOf(anna)] }
    await one.call(submitPictures, { bearer: opened.bearer, body })
    ahead = 7000
    await other.call(submitPictures, { bearer: opened.bearer, body })
    expect(await close(other, opened, 0)).toMatchObject({ accepted: true })
    expect((await recordOf(one, opened))!.observations).toHaveLength(1)
  })
})

test('a page learns nothing of what was handed in', async () => {
  const host = await started()
  const opened = await begun(host)
  const before = await host.call(getSession, { bearer: opened.bearer })
  await handIn(host, opened, { step: 0, batch: 1 }, anna)
  expect(await host.call(getSession, { bearer: opened.bearer })).toEqual({ ...before, state: 'Started' })
})
