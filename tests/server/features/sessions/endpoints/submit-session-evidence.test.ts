import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { policyVersion } from '#models/rules/liveness/policy.ts'
import { createVerificationStore } from '#server/features/verifications/verification-store.ts'
import {
  createVerification,
  getVerification,
  updateVerification,
} from '#shared/contract/configuration/verification.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { fakeJpeg, frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { consent, type Opened, openSession, resultOf } from '../../../../support/visit.ts'

/** A visit's options. */
interface Way {
  /** `sold` uses the same film for every visit. */
  readonly film?: boolean | 'sold'
  /** Overrides the frames' scenes in the film's pictures. */
  readonly shows?: Partial<Scene>
  /** The person in the frames; Anna if absent. */
  readonly person?: string
  /** Null if there is nothing to compare. */
  readonly surface?: NonNullable<Scene['surface']> | null
  /** The answer to each request, starting with the first; as requested by default. */
  readonly acts?: readonly ('asked' | 'nothing' | 'other')[]
  /** At first, no answer arrives, so everything is sent twice. */
  readonly sentTwice?: boolean
  /** The number of the try in its session, if another one may follow. */
  readonly try?: number
  /** How many milliseconds pass between two requests on the device's clock. On the server's, it is always 3000. */
  readonly apart?: number
  /** Each request's pictures of this kind are kept, and sent with the next request. */
  readonly holdsBack?: 'film' | 'frames'
}

let host: Host
let names = 0
beforeAll(async () => {
  host = await startHost({ ports: { challengeActions: ['turnLeft', 'turnRight', 'lookUp', 'comeCloser'] } })
})
afterAll(() => host.close())

type Liveness = NonNullable<Parameters<typeof withLiveness>[0]>
function withLiveness(liveness: { evidence?: 'required' | 'optional'; allowAlternative?: boolean } = {}) {
  return { verifierConfigs: { liveness: { type: 'Verification' as const, ...liveness } } }
}
async function newCheck(liveness?: Liveness): Promise<string> {
  const body = { name: `evidence ${++names}`, verificationConfig: withLiveness(liveness) }
  return (await host.call(createVerification, { body })).verificationId
}

let shots = 1e6
/** A film picture. People never hold their heads so still that two pictures match, and no camera takes the same picture twice. */
function smallOf(scene: Scene, time: number, shot = ++shots) {
  const bytes = Buffer.from(fakeJpeg({ yaw: (time % 1100) / 500, ...scene, shot }, 128, 96)).toString(
    'base64',
  )
  return { bytes, time }
}

/** A visit with or without a film. Its frames and film come two seconds after the previous request's. */
async function act(opened: Opened, way: Way = {}) {
  const { film = true, shows, person = 'anna', surface = 'living', acts = [], sentTwice = false } = way
  const { apart = 2000, holdsBack } = way
  let clock = 0
  let held: readonly ReturnType<typeof smallOf>[] = []
  /** Exchanges pictures for those of the request before. */
  const keep = (own: typeof held) => {
    const kept = held.length === 0 ? own.slice(0, 1) : held
    held = own
    return [...kept]
  }
  const scene: Scene = { person, happy: 0.1, ...(surface && { surface }) }
  const shown = (...scenes: Scene[]) => {
    host.pass(3000)
    clock += apart
    const frames = scenes.map((one, i) => frameOf(one, clock + i * 300))
    const filmed = scenes.map((one, i) => {
      const time = clock + i * 300
      return smallOf({ ...one, ...shows }, time, film === 'sold' ? time : undefined)
    })
    const trail = film === false ? [] : filmed
    if (holdsBack === 'film') return { frames, trail: keep(trail) }
    return { frames: holdsBack === 'frames' ? keep(frames) : frames, trail }
  }
  const twice = async <Answer>(once: () => Promise<Answer>) => {
    const answer = await once()
    if (sentTwice) expect(await once()).toEqual(answer)
    return answer
  }
  const send = (step: number, ...scenes: Scene[]) => {
    const body = { step, ...shown(...scenes) }
    return twice(() => host.call(submitStep, { bearer: opened.bearer, body }))
  }
  const asked: string[] = []
  let lastStep = 0
  let { next } = await send(0, scene, scene, scene)
  for (let turn = 0; next !== null; turn++) {
    asked.push(next.action)
    lastStep = next.step
    const how = acts[turn] ?? 'asked'
    if (how === 'other') {
      const body = { step: next.step, frames: [], request: 'otherAction' as const }
      next = (await host.call(submitStep, { bearer: opened.bearer, body })).next!
    } else {
      const acted: Scene =
        how === 'nothing'
          ? scene
          : { ...scene, acted: next.action, ...(next.action === 'comeCloser' && { size: 1.5 }) }
      next = (await send(next.step, scene, acted, acted)).next
    }
  }
  const last = shown(scene, scene)
  const frames = last.frames.map((frame) => ({ ...frame, challengeStep: lastStep }))
  const again = way.try === undefined ? {} : { try: way.try, acceptsRetry: way.try === 1 }
  const body = { ...last, frames, consent, ...again }
  await twice(() => host.call(submitSession, { bearer: opened.bearer, body }))
  return asked
}

async function visit(opened: Opened, way?: Way) {
  const asked = await act(opened, way)
  return { asked, result: await resultOf(host, opened) }
}

const visitOf = async (way: Way, liveness?: Liveness) =>
  visit(await openSession(host, await newCheck(liveness)), way)
const isTurn = (action: string | undefined) => ['turnLeft', 'turnRight', 'lookUp'].includes(action ?? '')

describe('a verification without evidence settings', () => {
  test('passes a person who turns the head and films it', async () => {
    const { result } = await visitOf({})
    expect(result).toMatchObject({ verificationResult: 'Pass', wouldFail: [], verificationFailedReasons: [] })
  })

  test.each<[string, Way, string[]]>([
    ['sends no film', { film: false }, ['evidenceMissing']],
    ['sends a film of another person', { shows: { person: 'berta' } }, ['evidenceMissing']],
    ['sends a film of one picture with noise', { shows: { acted: '' } }, ['evidenceMissing']],
    ['sends a film that shows nobody', { shows: { person: null } }, ['evidenceMissing']],
    ['sends one picture as a film, over and over', { shows: { yaw: 0, acted: '' } }, ['evidenceMissing']],
    ['sends turns that cannot be compared', { surface: null }, ['evidenceMissing']],
    ['sends pictures whose light turns along', { surface: 'moved' }, ['livenessFailed']],
    ['fails the turn, and then does it', { acts: ['nothing', 'asked'] }, []],
    ['has one turn exchanged for another', { acts: ['other', 'asked'] }, []],
    ['does nothing at all', { acts: ['nothing', 'nothing'] }, ['challengeFailed']],
  ])('reports a visit that %s', async (_, way, reasons) => {
    const { result } = await visitOf(way, { allowAlternative: true })
    expect(result.verificationFailedReasons).toEqual(reasons)
  })

  test('passes with inconclusive evidence, and reports it', async () => {
    const { result } = await visitOf({ surface: 'blank' })
    expect(result).toMatchObject({ verificationResult: 'Pass', assurance: 'low', wouldFail: ['lowQuality'] })
  })
})

describe('a film', () => {
  test('is good for one visit: in another one it counts for nothing', async () => {
    const id = await newCheck()
    const first = await visit(await openSession(host, id), { film: 'sold' })
    expect(first.result).toMatchObject({ verificationResult: 'Pass' })
    for (let i = 0; i < 2; i++) {
      const { result } = await visit(await openSession(host, await newCheck()), { film: 'sold' })
      expect(result.verificationFailedReasons).toEqual(['evidenceMissing'])
    }
    expect((await visit(await openSession(host, id))).result.verificationResult).toBe('Pass')
  })

  test.each([
    ['as fast as the session', 2000, []],
    ['faster, by what clocks may differ', 5500, []],
    ['so fast that it would be longer than the session', 6500, ['evidenceMissing']],
  ])('whose clock runs %s (%i) leaves the visit with %j', async (_what, apart, reasons) => {
    const { result } = await visitOf({ apart })
    expect(result.verificationFailedReasons).toEqual(reasons)
  })

  test('that is held back from the frames that it belongs to gains nothing', async () => {
    const { result } = await visitOf({ holdsBack: 'film' })
    expect(result.verificationFailedReasons).toContain('evidenceMissing')
  })

  test('is sent again if an answer was lost', async () => {
    const { result } = await visitOf({ sentTwice: true })
    expect(result.verificationResult).toBe('Pass')
  })

  test.each([
    ['taken anew', true, []],
    ['that of the try before', 'sold', ['evidenceMissing']],
  ] as const)('of another try that is %s (%j) leaves it with %j', async (_what, film, reasons) => {
    const person = `of a film that is ${film}`
    const opened = await openSession(host, await newCheck())
    await act(opened, { film: 'sold', person, acts: ['nothing', 'nothing'], try: 1, sentTwice: true })
    const { result } = await visit(opened, { film, person, try: 2, sentTwice: true })
    expect(result).toMatchObject({ tries: 2, verificationFailedReasons: reasons })
  })
})

test('frames that are held back until the next request do not perform the action', async () => {
  const { result } = await visitOf({ holdsBack: 'frames' })
  expect(result.verificationFailedReasons).toContain('challengeFailed')
})

describe('a turn', () => {
  test('that failed or was exchanged is followed by another turn', async () => {
    for (const first of ['nothing', 'other'] as const) {
      const { asked } = await visitOf({ acts: [first] }, { allowAlternative: true })
      expect(asked).toHaveLength(2)
      expect(asked.every(isTurn)).toBe(true)
      expect(new Set(asked).size).toBe(2)
    }
  })

  test('that was exchanged twice is left out, and the visit lacks it', async () => {
    const { asked, result } = await visitOf({ acts: ['other', 'other'] }, { allowAlternative: true })
    expect(asked.map(isTurn)).toEqual([true, true, false])
    expect(result.verificationFailedReasons).toEqual(['evidenceMissing'])
  })

  test('keeps its evidence after a failed step', async () => {
    const opened = await openSession(host, await newCheck())
    const { result } = await visit(opened, { surface: 'moved', acts: ['nothing', 'asked'] })
    expect(result.verificationFailedReasons).toContain('livenessFailed')
  })
})

describe('evidence: optional', () => {
  test('passes without a film, and reaches low at most', async () => {
    const without = await visitOf({ film: false, surface: null }, { evidence: 'optional' })
    expect(without.result).toMatchObject({ verificationResult: 'Pass', assurance: 'low', wouldFail: [] })
    const whole = await visitOf({}, { evidence: 'optional' })
    expect(whole.result).toMatchObject({ verificationResult: 'Pass', assurance: 'low' })
  })

  test('is refused if a higher level is required', async () => {
    const liveness = {
      type: 'Verification' as const,
      evidence: 'optional' as const,
      leastAssurance: 'standard' as const,
    }
    const body = { name: `evidence ${++names}`, verificationConfig: { verifierConfigs: { liveness } } }
    await expect(host.call(createVerification, { body })).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '#/verificationConfig/verifierConfigs/liveness/evidence' }],
    })
  })

  test('is announced to the page', async () => {
    const told = async (liveness?: Liveness) =>
      (await openSession(host, await newCheck(liveness))).capturePlan.evidence
    expect(await told()).toMatchObject({ trail: true, required: true })
    expect(await told({ evidence: 'optional' })).toMatchObject({ trail: true, required: false })
  })
})

describe('what was written before there was this rule', () => {
  /** The verification as an earlier version of the program left it. */
  const madeBefore = async (verificationId: string, version: string) => {
    const stored = createVerificationStore(host.store)
    const before = (await stored.read(host.accountId, verificationId))!
    const detail = { ...before.value, policyVersion: version, writtenUnder: version }
    expect(await stored.replace(host.accountId, before, detail, null)).toBe(true)
  }

  test('follows its own rule and only reports, until it is written again', async () => {
    const verificationId = await newCheck()
    await madeBefore(verificationId, '2026-11-23')
    const way = { film: false, surface: null }
    const told = await visit(await openSession(host, verificationId), way)
    expect(told.result).toMatchObject({ verificationResult: 'Pass', wouldFail: ['evidenceMissing'] })
    await host.call(updateVerification, { body: { verificationId, name: `evidence ${++names}` } })
    const read = await host.call(getVerification, { query: { verificationId } })
    expect(read).toMatchObject({ policyVersion: '2026-11-23', writtenUnder: policyVersion })
    const after = await visit(await openSession(host, verificationId), way)
    expect(after.result.verificationFailedReasons).toEqual(['evidenceMissing'])
  })

  test('tells of a film that shows another person, and is worth low', async () => {
    const verificationId = await newCheck()
    await madeBefore(verificationId, '2026-11-24')
    const told = await visit(await openSession(host, verificationId), { shows: { person: 'berta' } })
    expect(told.result).toMatchObject({
      verificationResult: 'Pass',
      assurance: 'low',
      wouldFail: ['evidenceMissing'],
    })
  })
})

test('an ad hoc session has to show evidence', async () => {
  const created = await host.call(createSession, { body: withLiveness() })
  const opened = { ...created, bearer: created.sessionToken } as unknown as Opened
  const { result } = await visit(opened, { film: false })
  expect(result.verificationFailedReasons).toEqual(['evidenceMissing'])
})
