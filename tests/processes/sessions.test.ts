import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reactionInMilliseconds } from '#models/rules/challenge/step-judgement.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { initRedirectSession, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { some } from '../../e2e/support/length.ts'
import { createFakeAnalysis } from '../support/drawn/fake-analysis.ts'
import { frameOf, type Scene } from '../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../support/host.ts'
import { type ProcessGroup, startProcessGroup } from '../support/programs/process-group.ts'
import { type StoreServer, storeServers } from '../support/programs/store-server.ts'
import { recordOf } from '../support/session-record.ts'
import { consent, newVerification, openSession, problemOf, submit, visit } from '../support/visit.ts'

const issuer = () => 'http://127.0.0.1:1'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Acts as a load balancer: each call goes to the next host, using the first host's key. */
function inTurn(hosts: readonly Host[]): Host {
  let turn = 0
  const [first] = hosts as [Host]
  return {
    ...first,
    call: (endpoint, args) => {
      // The clocks advance together, so that the time in which a person must act passes on each of them.
      if (endpoint.path === submitStep.path) for (const host of hosts) host.pass(reactionInMilliseconds)
      return hosts[turn++ % hosts.length]!.call(endpoint, { apiKey: first.apiKey, ...args })
    },
  }
}

describe.each(some(storeServers))('a session with calls to three hosts in turn on %s', (_name, kind) => {
  if (kind.isMissing) return test.skip(`needs ${kind.name}`, () => undefined)
  let server: StoreServer
  let stores: Store[]
  let analyses: ReturnType<typeof createFakeAnalysis>[]
  let hosts: Host[]
  beforeAll(async () => {
    server = await kind.start()
    stores = await Promise.all([server.open(), server.open(), server.open()])
    analyses = stores.map(() => createFakeAnalysis())
    hosts = await Promise.all(
      stores.map((store, i) => startHost({ store, ports: { issuer, analysis: analyses[i]! } })),
    )
  })
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.close()))
    await Promise.all(stores.map((store) => store.close()))
    await server.stop()
  })

  test('passes, including the challenge', async () => {
    const balanced = inTurn(hosts)
    const liveness = { type: 'Verification', challengeType: 'Advanced' } as const
    const verificationConfig = { verifierConfigs: { liveness } }
    const verificationId = await newVerification(balanced, verificationConfig)
    for (const person of ['anna', 'bert', 'cleo']) {
      const { asked, submitted, result } = await visit(balanced, verificationId, { person })
      expect(asked.length).toBeGreaterThanOrEqual(3)
      expect(submitted.verificationResult).toBe('Pass')
      expect(result.verificationResult).toBe('Pass')
    }
  })

  test('passes with all pictures handed in before its steps end, each batch at another host', async () => {
    const balanced = inTurn(hosts)
    const liveness = { type: 'Verification', challengeType: 'Balanced' } as const
    const opened = await openSession(
      balanced,
      await newVerification(balanced, { verifierConfigs: { liveness } }),
    )
    const { bearer } = opened
    const handIn = (step: number, ...scenes: Partial<Scene>[]) =>
      Promise.all(
        scenes.flatMap((scene, i) => {
          const body = { step, batch: handedIn + i + 1, frames: [frameOf({ person: 'dora', ...scene })] }
          return [body, body].map((again) => balanced.call(submitPictures, { bearer, body: again }))
        }),
      ).then(() => {
        handedIn += scenes.length
      })
    let handedIn = 0
    const analysed = () => analyses.reduce((calls, analysis) => calls + analysis.calls, 0)
    const before = analysed()
    const close = (step: number) => balanced.call(submitStep, { bearer, body: { step, frames: [] } })
    await handIn(0, {}, {})
    const { next } = await close(0)
    await handIn(1, {}, { acted: next!.action }, { acted: next!.action })
    expect(await close(1)).toEqual({ accepted: true, next: null })
    await handIn(1, {}, {})
    const submitted = await balanced.call(submitSession, { bearer, body: { frames: [], consent } })
    expect(submitted).toMatchObject({ verificationResult: 'Pass' })
    expect((await recordOf(hosts[0]!, opened))!.frameCount).toBe(5)
    // Each picture once, although it came to two hosts, and the first two again to count other faces.
    expect(analysed() - before).toBeLessThanOrEqual(handedIn + 2)
  })

  test('uses a one-time link up everywhere', async () => {
    const [one, other] = hosts as [Host, Host]
    const verificationId = await newVerification(one)
    const securitySettings = { enableNonce: true, expirationEnabled: true, expirationInSeconds: 600 }
    const signed = await one.call(createSignature, { body: { queryString: '', securitySettings } })
    const body = { verificationId, queryString: signed.signedQueryString }
    const opened = await Promise.all(
      [one, other, one, other].map((host) => problemOf(host.call(initRedirectSession, { body }))),
    )
    expect(opened.sort()).toEqual([
      'link_already_used',
      'link_already_used',
      'link_already_used',
      'no problem',
    ])
  })

  test('is judged once if it is submitted to all three at once', async () => {
    const [one] = hosts as [Host]
    const opened = await openSession(one, await newVerification(one))
    const before = analyses.reduce((calls, analysis) => calls + analysis.calls, 0)
    const answers = await Promise.all(
      hosts.map((host) => submit({ ...host, apiKey: one.apiKey }, opened, { person: 'anna' })),
    )
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(answers[0]!.verificationResult).toBe('Pass')
    // The picture once, and again to count other faces.
    expect(analyses.reduce((calls, analysis) => calls + analysis.calls, 0) - before).toBe(2)
  })
})

describe('a session that is submitted to two processes', () => {
  async function startTwo(analyses: readonly Pick<AnalysisService, 'analyse'>[]) {
    const store = createMemoryStore()
    const hosts = await Promise.all(
      analyses.map(({ analyse }) =>
        startHost({ store, ports: { issuer, analysis: { ...createFakeAnalysis(), analyse } } }),
      ),
    )
    closers.push(...hosts.map((host) => host.close))
    const [one, other] = hosts as [Host, Host]
    const opened = await openSession(one, await newVerification(one))
    return { one, other, opened }
  }

  function slow() {
    const fake = createFakeAnalysis()
    const analyse: AnalysisService['analyse'] = async (...request) => {
      await new Promise((over) => setTimeout(over, 300))
      return fake.analyse(...request)
    }
    return { analyse, calls: () => fake.calls }
  }

  test('is judged by the first only; both are answered with its result', async () => {
    const analyses = [slow(), slow()]
    const { one, other, opened } = await startTwo(analyses)
    const answers = await Promise.all([one, other].map((host) => submit(host, opened, { person: 'anna' })))
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]?.verificationResult).toBe('Pass')
    // The picture once, and again to count other faces.
    expect(analyses[0]!.calls() + analyses[1]!.calls()).toBe(2)
  })

  test('is judged by the second at once if the first could not', async () => {
    const failing: Pick<AnalysisService, 'analyse'> = {
      analyse: () => Promise.reject(new Error('Nothing is analysed here')),
    }
    const { one, other, opened } = await startTwo([failing, slow()])
    expect(await problemOf(submit(one, opened, { person: 'anna' }))).toBe('internal_error')
    expect((await submit(other, opened, { person: 'anna' })).verificationResult).toBe('Pass')
  })

  test('is judged by the second after a while if the first has died', async () => {
    const dying: Pick<AnalysisService, 'analyse'> = { analyse: () => new Promise(() => {}) }
    const { one, other, opened } = await startTwo([dying, slow()])
    void submit(one, opened, { person: 'anna' }).catch(() => undefined)
    await expect.poll(async () => (await recordOf(one, opened))?.state).toBe('Submitted')
    other.pass(31_000)
    expect((await submit(other, opened, { person: 'anna' })).verificationResult).toBe('Pass')
  })
})

describe.each(some(storeServers.toReversed()))(
  'a session at three processes in turn on %s',
  (_name, kind) => {
    if (kind.isMissing) return test.skip(`needs ${kind.name}`, () => undefined)
    let server: StoreServer
    let group: ProcessGroup
    beforeAll(async () => {
      server = await kind.start()
      group = await startProcessGroup(3, { STORE: server.address })
      await group.ready()
    })
    afterAll(async () => {
      await group?.stop()
      await server?.stop()
    })

    test('is judged by their own analysis, and its result is known to all', async () => {
      const photograph = await readFile('tests/support/pictures/astronaut.png')
      const bytes = (await sharp(photograph).flatten().jpeg().toBuffer()).toString('base64')
      const frames = [0, 1, 2].map((i) => ({ bytes, time: i * 100 }))
      const verificationConfig = { verifierConfigs: { age: { type: 'CalculationOnly' as const } } }
      const { verificationId } = await group.call(createVerification, {
        body: { name: 'a', verificationConfig },
      })
      const signed = await group.call(createSignature, { body: { queryString: '' } })
      const opened = await group.call(initRedirectSession, {
        body: { verificationId, queryString: signed.signedQueryString },
      })
      const bearer = opened.sessionToken
      expect((await group.call(submitStep, { bearer, body: { step: 0, frames } })).next).toBeNull()
      const last = frames.map((frame) => ({ ...frame, time: frame.time + 1000, challengeStep: 0 }))
      const submitted = await group.call(submitSession, { bearer, body: { frames: last, consent } })
      expect(submitted.verificationResult).toBe('Pass')
      const query = { verificationSessionId: opened.verificationSessionId }
      const results = await Promise.all([0, 1, 2].map(() => group.call(getSessionResult, { query })))
      expect(results[0]).toMatchObject({ verificationResult: 'Pass', estimatedAge: expect.any(Number) })
      expect(results[1]).toEqual(results[0])
      expect(results[2]).toEqual(results[0])
    })
  },
)
