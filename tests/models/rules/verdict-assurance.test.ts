import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Cue, CueAnswer } from '#models/rules/liveness/evidence/cue.ts'
import { cuesOf } from '#models/rules/liveness/evidence/cues.ts'
import { mayRefuse } from '#models/rules/liveness/evidence/refusal.ts'
import { firstPolicyVersion, policyVersion } from '#models/rules/liveness/policy.ts'
import { type Evidence, type Rules, verdict } from '#models/rules/verdict.ts'
import { pointAt } from '../../support/drawn/film.ts'
import { frameOf, noon, opening, personOf, resembling, turning } from '../../support/drawn/observations.ts'

vi.mock('#models/rules/liveness/evidence/cues.ts', () => ({ cuesOf: vi.fn() }))
vi.mock('#models/rules/liveness/evidence/refusal.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#models/rules/liveness/evidence/refusal.ts')>()
  const allowed = { ...actual.mayRefuse }
  return { mayRefuse: allowed, isRefusedByCues: (cues: Cue[]) => actual.isRefusedByCues(cues, allowed) }
})

const names = ['light', 'rim', 'cuts'] as const
const cuesAre = (...answers: CueAnswer[]) =>
  vi.mocked(cuesOf).mockReturnValue(answers.map((answer, i) => ({ name: names[i]!, answer, value: null })))

const rules: Rules = {
  liveness: true,
  challengeActionCount: 1,
  failOnMultipleFaces: false,
  age: { type: 'Disabled' },
  gender: false,
  faceRecognition: false,
  emotion: false,
}
const pair = { degrees: 22, light: 0.05, rim: 0.3 }
const turned = () => frameOf({ step: 1, receivedAt: noon + 4000, face: { yaw: 25 }, turned: pair })
const honest = [frameOf(), frameOf(), turned(), turned(), frameOf({ step: 1, receivedAt: noon + 5000 })]
/** A film picture alongside each request's frames, showing a person who turns their head along with them. */
const filmBy = (person?: readonly number[]) =>
  [0, 25, 0].map((yaw, i) =>
    pointAt(0, { yaw, ...(person && { embedding: person }) }, [noon, noon + 4000, noon + 5000][i]),
  )
const film = filmBy(personOf(0))
const decide = (change: Partial<Rules> = {}, evidence: Partial<Evidence> = {}) =>
  verdict({
    rules: { ...rules, ...change },
    steps: [opening, turning],
    observations: honest,
    trail: film,
    ...evidence,
  })
/** A policy from before evidence was required, so missing evidence is only reported. */
const former = { kind: 'enforce', since: firstPolicyVersion, writtenUnder: firstPolicyVersion } as const
const spoken = ({ reasons, assurance, wouldFail }: ReturnType<typeof verdict>) => ({
  reasons,
  assurance,
  wouldFail,
})

beforeEach(() => {
  cuesAre('held', 'held', 'cannotTell')
  Object.assign(mayRefuse, { light: false, rim: false, cuts: false })
})

describe('the assurance of a session', () => {
  test.each<[string, Partial<Rules>, Partial<Evidence>, string]>([
    ['with everything', {}, {}, 'standard'],
    ['without a complete trail', {}, { trail: [] }, 'low'],
    ['without a trail', {}, { trail: undefined as never }, 'low'],
    ['whose film shows too few faces', {}, { trail: filmBy() }, 'low'],
    ['whose film leaves open who is in it', {}, { trail: filmBy(resembling(personOf(0), 0.3)) }, 'low'],
    ['whose film shows another person', {}, { trail: filmBy(personOf(1)) }, 'low'],
    ['of a kiosk', {}, { isOffline: true }, 'low'],
    ['without liveness', { liveness: false }, { steps: [] }, 'none'],
    ['without a challenge', { challengeActionCount: 0 }, { steps: [] }, 'low'],
    ['whose action is missing', {}, { steps: [opening] }, 'low'],
    ['in which nobody was seen', {}, { observations: [frameOf({ face: null })] }, 'none'],
    [
      'in which another person appeared',
      {},
      { observations: [...honest, frameOf({ face: { embedding: personOf(1) } })] },
      'low',
    ],
    [
      'that fails for its age',
      { age: { type: 'RangeVerification', minimum: 80, maximum: 90 } },
      {},
      'standard',
    ],
  ])('%s', (_, change, evidence, assurance) => {
    expect(decide(change, evidence).assurance).toBe(assurance)
  })
})

describe('leastAssurance', () => {
  test.each<[NonNullable<Rules['leastAssurance']>, boolean, string[]]>([
    ['low', true, []],
    ['low', false, []],
    ['standard', true, []],
    ['standard', false, ['assuranceTooLow']],
    ['high', true, ['assuranceTooLow']],
    ['high', false, ['assuranceTooLow']],
  ])('%s, trail complete: %s', (leastAssurance, isComplete, reasons) => {
    const trail = isComplete ? film : []
    expect(decide({ leastAssurance, policy: former }, { trail }).reasons).toEqual(reasons)
  })

  test('is reported last, next to the other reasons', () => {
    expect(decide({ leastAssurance: 'standard' }, { steps: [opening] }).reasons).toEqual([
      'challengeFailed',
      'assuranceTooLow',
    ])
  })

  test('is undefined for a session that could not be judged', () => {
    const observations = [frameOf({ face: null })]
    expect(decide({ leastAssurance: 'high' }, { observations, steps: [opening, turning] }).reasons).toEqual([
      'noFace',
    ])
  })

  test('does not change the result of the liveness check', () => {
    expect(decide({ leastAssurance: 'high' }).liveness).toBe('Pass')
  })
})

describe('demanded evidence', () => {
  test.each<[string, Partial<Rules>, string[], string[], string]>([
    ['from everybody', {}, ['evidenceMissing'], [], 'low'],
    ['not where it may be left out', { evidence: 'optional' }, [], [], 'low'],
    ['not by what was written before', { policy: former }, [], ['evidenceMissing'], 'low'],
    ['not where nobody is judged', { liveness: false }, [], [], 'none'],
  ])('%s', (_, change, reasons, wouldFail, assurance) => {
    expect(spoken(decide(change, { trail: [] }))).toEqual({ reasons, wouldFail, assurance })
  })

  test('is missing if the film is longer than a visit that answered no step', () => {
    const passive = {
      steps: [],
      observations: [
        frameOf({ receivedAt: noon + 20_000 }),
        frameOf({ time: 20_000, receivedAt: noon + 20_000 }),
      ],
    }
    const from = (openedAt: number) => {
      const trail = Array.from({ length: 21 }, (_, i) => pointAt(i * 1000, {}, noon + 20_000))
      return decide({ challengeActionCount: 0 }, { ...passive, trail, openedAt })
    }
    expect(from(noon).evidence.findings).not.toContain('evidenceMissing')
    expect(from(noon + 10_000).evidence.findings).toContain('evidenceMissing')
  })

  test('is reported if it is inconclusive, and lets the session pass', () => {
    cuesAre('cannotTell', 'cannotTell', 'cannotTell')
    expect(spoken(decide())).toEqual({ reasons: [], wouldFail: ['lowQuality'], assurance: 'low' })
    expect(spoken(decide({ evidence: 'optional' }))).toMatchObject({ reasons: [], wouldFail: [] })
  })

  test('limits the session to low if it is optional and left out', () => {
    expect(decide().assurance).toBe('standard')
    expect(decide({ evidence: 'optional' }).assurance).toBe('low')
  })
})

describe('a broken cue', () => {
  beforeEach(() => {
    cuesAre('broken', 'held', 'held')
  })

  test('prevents standard, and fails no session if it may not refuse', () => {
    expect(spoken(decide())).toEqual({ reasons: [], assurance: 'low', wouldFail: [] })
  })

  describe('that may refuse', () => {
    beforeEach(() => {
      Object.assign(mayRefuse, { light: true })
    })

    test.each<[string, Rules['policy'], string[], string[]]>([
      ['no policy', undefined, ['livenessFailed'], []],
      [
        'enforce',
        { kind: 'enforce', since: firstPolicyVersion, writtenUnder: policyVersion },
        ['livenessFailed'],
        [],
      ],
      [
        'observe, older than the rule',
        { kind: 'observe', since: firstPolicyVersion, writtenUnder: policyVersion },
        [],
        ['livenessFailed'],
      ],
      [
        'observe, not older',
        { kind: 'observe', since: policyVersion, writtenUnder: policyVersion },
        ['livenessFailed'],
        [],
      ],
    ])('%s', (_, policy, reasons, wouldFail) => {
      const decided = decide(policy && { policy })
      expect(spoken(decided)).toEqual({ reasons, assurance: 'low', wouldFail })
      expect(decided.evidence.findings).toEqual(['cueBroken'])
    })

    test('is not reported as a hypothetical failure if the same reason failed already', () => {
      const policy = { kind: 'observe', since: firstPolicyVersion, writtenUnder: policyVersion } as const
      const observations = honest.map((frame) => ({ ...frame, reused: 'same' as const }))
      expect(spoken(decide({ policy }, { observations }))).toEqual({
        reasons: ['livenessFailed'],
        assurance: 'low',
        wouldFail: [],
      })
    })
  })
})
