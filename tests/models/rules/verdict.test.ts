import { describe, expect, expectTypeOf, test } from 'vitest'
import { type AgeRule, meetsAgeRule } from '#models/rules/age/age-rule.ts'
import { actionsToPerform, type StepRecord } from '#models/rules/challenge/step.ts'
import { judgeStep } from '#models/rules/challenge/step-judgement.ts'
import { clipIsLiveFrom } from '#models/rules/liveness/liveness-fusion.ts'
import { liveScoreOf } from '#models/rules/liveness/session-liveness.ts'
import type { Observation } from '#models/rules/observation.ts'
import { samePerson } from '#models/rules/same-person.ts'
import { cosine } from '#models/rules/similarity.ts'
import { type Evidence, type Rules, verdict } from '#models/rules/verdict.ts'
import {
  faceOf,
  frameOf,
  noon,
  opening,
  personOf,
  resembling,
  turning,
} from '../../support/drawn/observations.ts'
import { poorEmbedding } from '../../support/recognition/poor-embedding.ts'

const rules: Rules = {
  liveness: true,
  challengeActionCount: 1,
  failOnMultipleFaces: false,
  age: { type: 'Disabled' },
  gender: false,
  faceRecognition: false,
  emotion: false,
  // Required evidence is tested separately.
  evidence: 'optional',
}

const failed = (reason: Exclude<StepRecord['reason'], null>): StepRecord => ({
  ...turning,
  accepted: false,
  reason,
})
const steps = [opening, turning]

const straight = (rest: Parameters<typeof frameOf>[0] = {}) => frameOf(rest)
const turned = (rest: Parameters<typeof frameOf>[0] = {}) =>
  frameOf({ step: 1, receivedAt: noon + 4000, ...rest, face: { yaw: 25, ...rest.face } })
const afterwards = (rest: Parameters<typeof frameOf>[0] = {}) =>
  frameOf({ step: 1, receivedAt: noon + 5000, ...rest })

/** Observations of a person who performs the actions. */
const honest: readonly Observation[] = [straight(), straight(), straight(), turned(), turned(), afterwards()]

const decide = (changes: Partial<Rules> = {}, evidence: Partial<Omit<Evidence, 'rules'>> = {}) =>
  verdict({ rules: { ...rules, ...changes }, steps, observations: honest, ...evidence })

const beyond = 1e-9

describe('judgeStep', () => {
  const before = [straight(), straight()]
  const record = { ...turning, answeredAt: turning.revealedAt + 3000 }
  const judge = (during: readonly Observation[], took = 3000, earlier: readonly Observation[] = before) =>
    judgeStep('turnLeft', { ...record, answeredAt: record.revealedAt + took }, earlier, during)

  test('accepts the requested action', () => {
    expect(judge([straight(), turned()])).toEqual({ accepted: true, reason: 'performed' })
  })

  test.each([
    [399, 'tooEarly'],
    [400, 'performed'],
    [10_000, 'performed'],
    [12_000, 'performed'],
    [12_001, 'late'],
  ])('answered after %d ms of a step of 10 s: %s', (took, reason) => {
    expect(judge([turned()], took).reason).toBe(reason)
  })

  test.each([
    ['nothing moved', [straight()], 'notPerformed'],
    ['the other side', [turned({ face: { yaw: -25 } })], 'otherAction'],
    ['both sides', [turned(), turned({ face: { yaw: -25 } })], 'otherAction'],
    ['no face', [frameOf({ face: null })], 'noFace'],
    ['no frames', [], 'noFace'],
    ['somebody else', [turned({ face: { embedding: personOf(1) } })], 'personChanged'],
  ])('refuses %s', (_, during, reason) => {
    expect(judge(during)).toEqual({ accepted: false, reason })
  })

  test('refuses a step without an earlier neutral face', () => {
    expect(judge([turned()], 3000, []).reason).toBe('noFace')
    expect(judge([turned()], 3000, [frameOf({ step: 1 })]).reason).toBe('noFace')
  })
})

describe('verdict', () => {
  test('passes an honest session', () => {
    expect(decide()).toMatchObject({
      reasons: [],
      liveness: 'Pass',
      age: 'NotExecuted',
      gender: 'NotExecuted',
    })
  })

  test('fails a session without a face', () => {
    const nobody = [frameOf({ face: null }), frameOf({ face: null })]
    expect(decide({}, { observations: nobody })).toMatchObject({
      reasons: ['noFace'],
      liveness: 'NotExecuted',
      portrait: null,
      totalFaceCount: 0,
    })
    expect(decide({}, { observations: [] }).reasons).toContain('noFace')
  })

  test.each([
    ['blurred', { quality: { ...straight().face!.quality, sharpness: 4.99 } }],
    ['small', { box: { x: 0, y: 0, width: 79.9, height: 100 } }],
  ])('fails frames that are all too %s to be judged', (_, face) => {
    const poor = honest.map((frame) => frameOf({ ...frame, face: { ...frame.face!, ...face } }))
    expect(decide({}, { observations: poor }).reasons).toEqual(['lowQuality'])
  })

  test('fails a portrait that shows too little of a person for a comparison', () => {
    const embedding = Array.from(poorEmbedding(1, 0.99))
    const poor = honest.map((frame) => frameOf({ ...frame, face: { ...frame.face!, embedding } }))
    expect(decide({}, { observations: poor }).reasons).toEqual(['lowQuality'])
  })

  test.each([
    ['sharp', { quality: { ...straight().face!.quality, sharpness: 5 } }],
    ['large', { box: { x: 0, y: 0, width: 80, height: 100 } }],
  ])('judges frames that are just %s enough', (_, face) => {
    const fair = honest.map((frame) => frameOf({ ...frame, face: { ...frame.face!, ...face } }))
    expect(decide({}, { observations: fair }).reasons).toEqual([])
  })

  test('receives only a hint from the device, which can lower the result but not raise it', () => {
    expectTypeOf<keyof Evidence>().toEqualTypeOf<
      | 'rules'
      | 'steps'
      | 'observations'
      | 'openedAt'
      | 'trail'
      | 'earlier'
      | 'isOffline'
      | 'boundFace'
      | 'reference'
      | 'isInjectionHinted'
    >()
    expectTypeOf<Evidence['isInjectionHinted']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf(verdict).parameters.toEqualTypeOf<[Evidence]>()
    // @ts-expect-error a device report has no place in the evidence
    const claimed: Evidence = { rules, steps: [], observations: [], deviceReport: { passed: true } }
    expect(verdict(claimed)).toEqual(verdict({ rules, steps: [], observations: [] }))
    const hinted = decide({}, { isInjectionHinted: true })
    expect(hinted).toEqual(decide({}, {}))
  })
})

describe('the challenge', () => {
  test.each([
    [0, [], []],
    [1, [opening], ['challengeFailed']],
    [1, [opening, failed('notPerformed')], ['challengeFailed']],
    [1, steps, []],
    [1, [opening, failed('notPerformed'), { ...turning, step: 2 }], []],
    [1, [opening, failed('late'), { ...turning, step: 2 }], []],
    [1, [opening, failed('otherAction'), { ...turning, step: 2 }], ['challengeFailed']],
    [1, [opening, failed('otherAction'), { ...turning, step: 2 }, { ...turning, step: 3 }], []],
    [3, [opening, turning, { ...turning, step: 2 }], ['challengeFailed']],
    [3, [opening, turning, { ...turning, step: 2 }, { ...turning, step: 3 }], []],
  ])('of %d actions with the steps %j gives %j', (challengeActionCount, taken, reasons) => {
    expect(
      decide({ challengeActionCount }, { steps: taken, observations: honest.slice(0, 5) }).reasons,
    ).toEqual(reasons)
  })

  test.each([
    [['performed'], 1],
    [['notPerformed', 'performed'], 1],
    [['late', 'tooEarly', 'noFace', 'personChanged'], 1],
    [['otherAction'], 2],
    [['otherAction', 'performed', 'otherAction'], 3],
  ] as const)(
    'a wrong action requests another one: steps that were %j make one action %i',
    (reasons, count) => {
      expect(
        actionsToPerform(
          1,
          [null, ...reasons].map((reason) => ({ reason })),
        ),
      ).toBe(count)
    },
  )

  test('is not failed by the opening step, which requests no action', () => {
    expect(decide({ challengeActionCount: 0 }, { steps: [opening] }).reasons).toEqual([])
  })

  test.each([
    ['to the other side', { yaw: -25 }, ['challengeFailed']],
    ['up', { pitch: 20 }, ['challengeFailed']],
    ['down', { pitch: -25 }, ['challengeFailed']],
    ['up a little', { pitch: 12.5 }, ['challengeFailed']],
    ['up next to nothing', { pitch: 10 }, []],
    ['back, a little late', { yaw: 25 }, []],
    ['into a smile', { expressions: { happy: 1 }, smile: 2 }, []],
  ])('movement after the last action %s gives %j', (_, face, reasons) => {
    const goingOn = [...honest, afterwards({ face })]
    expect(decide({}, { observations: goingOn }).reasons).toEqual(reasons)
  })

  test('only considers frames after the last answer', () => {
    const during = [...honest, afterwards({ face: { pitch: 20 }, receivedAt: turning.answeredAt })]
    expect(decide({}, { observations: during }).reasons).toEqual([])
  })

  test('is not evaluated if liveness is disabled', () => {
    expect(decide({ liveness: false }, { steps: [] })).toMatchObject({ reasons: [], liveness: 'NotExecuted' })
  })
})

describe('liveness', () => {
  const scored = (...scores: readonly (readonly [raw: number, blurred: number])[]) =>
    decide(
      {},
      {
        observations: [
          ...scores.map(([raw, blurred]) => straight({ face: { live: { raw, blurred } } })),
          turned(),
        ],
      },
    ).reasons
  const live = clipIsLiveFrom

  test.each([
    ['evenly doubtful', [[live + beyond, live + beyond]], []],
    ['below the limit', [[live - beyond, live - beyond]], ['livenessFailed']],
    ['live but for the blurred crop', [[1, 0.1]], ['livenessFailed']],
    ['live but for the raw crop', [[0.1, 1]], ['livenessFailed']],
    [
      'live but for one of many',
      [
        [0.99, 0.99],
        [0.99, 0.99],
        [0.99, 0.99],
        [0.99, 0.99],
        [0.2, 0.2],
      ],
      [],
    ],
    [
      'live half of the time',
      [
        [0.99, 0.99],
        [0.99, 0.99],
        [0.01, 0.01],
        [0.01, 0.01],
      ],
      ['livenessFailed'],
    ],
  ] as const)('of frontal frames that are %s (raw and blurred: %j) gives %j', (_, scores, reasons) => {
    expect(scored(...scores)).toEqual(reasons)
  })

  test.each([
    [{ raw: 1, blurred: 0 }, 0],
    [{ raw: 0, blurred: 1 }, 0],
    [{ raw: 1, blurred: 1 }, 1],
    [null, 0],
  ])('of %j scores %d: noise never lifts it', (probabilities, score) => {
    expect(liveScoreOf(faceOf({ live: probabilities }))).toBeCloseTo(score)
  })

  test('ignores a frame that was not analysed', () => {
    const blind = honest.map((frame) => frameOf({ ...frame, face: { ...frame.face!, live: null } }))
    expect(decide({}, { observations: blind })).toMatchObject({
      reasons: ['livenessFailed'],
      liveness: 'Fail',
    })
  })

  test('is not judged on turned frames', () => {
    const dark = honest.map((frame) =>
      frame.step === 1 && Math.abs(frame.face!.pose.yaw) > 20
        ? frameOf({ ...frame, face: { ...frame.face!, live: { raw: 0, blurred: 0 } } })
        : frame,
    )
    expect(decide({}, { observations: dark }).reasons).toEqual([])
  })

  const reusing = (same: number, similar: number, none: number) => {
    const kinds = [
      ...new Array(same).fill('same' as const),
      ...new Array(similar).fill('similar' as const),
      ...new Array(none).fill('none' as const),
    ]
    return decide({}, { observations: kinds.map((reused) => straight({ reused })) }).reasons
  }

  test.each([
    [0, 0, 6, []],
    [1, 0, 11, ['livenessFailed']],
    [0, 1, 0, []],
    [0, 2, 2, []],
    [0, 3, 3, ['livenessFailed']],
    [0, 3, 4, []],
    [0, 6, 6, ['livenessFailed']],
    [0, 5, 6, []],
  ])(
    'with %d pictures of another session, %d similar and %d new ones gives %j',
    (same, similar, none, reasons) => {
      expect(reusing(same, similar, none)).toEqual(reasons)
    },
  )

  test('ignores known pictures if it is disabled', () => {
    const again = honest.map((frame) => ({ ...frame, reused: 'same' as const }))
    expect(decide({ liveness: false }, { observations: again }).reasons).toEqual([])
  })
})

describe('the evidence', () => {
  test('of an honest session is empty', () => {
    expect(decide().evidence).toEqual({
      findings: [],
      cues: [
        { name: 'light', answer: 'cannotTell', value: null },
        { name: 'rim', answer: 'cannotTell', value: null },
        { name: 'cuts', answer: 'cannotTell', value: null },
        { name: 'perspective', answer: 'cannotTell', value: null },
      ],
      passiveScore: expect.closeTo(0.95),
      passiveLimit: clipIsLiveFrom,
      leastLikeness: expect.closeTo(1),
      likenessLimit: samePerson.frontal,
      steps: ['performed'],
      frames: 6,
      frontalFrames: 4,
    })
  })

  test('of a failed one contains every finding behind its reasons', () => {
    const observations = honest.map((frame, i) =>
      frameOf({
        ...frame,
        reused: i === 0 ? 'same' : 'none',
        face: { ...frame.face!, live: { raw: 0, blurred: 0 } },
      }),
    )
    const { reasons, evidence } = decide({}, { observations, steps: [opening, failed('notPerformed')] })
    expect(reasons).toEqual(['livenessFailed', 'challengeFailed'])
    expect(evidence).toMatchObject({
      findings: ['passiveScoreLow', 'pictureReused', 'actionsMissing'],
      passiveScore: expect.closeTo(0, 2),
      steps: ['notPerformed'],
    })
  })

  test('omits liveness if it is disabled', () => {
    expect(decide({ liveness: false }, { steps: [] }).evidence).toMatchObject({
      findings: [],
      cues: [],
      passiveScore: null,
      leastLikeness: expect.closeTo(1),
    })
  })
})

describe('one person throughout', () => {
  const withFrame = (face: Parameters<typeof straight>[0]) =>
    decide({}, { observations: [...honest, afterwards(face)] })

  test('fails if the face of the portrait differs from that of the actions', () => {
    expect(withFrame({ face: { embedding: personOf(1) } })).toMatchObject({
      reasons: ['personChanged'],
      liveness: 'Fail',
    })
  })

  test.each([
    [samePerson.frontal + 1e-6, []],
    [samePerson.frontal - 1e-6, ['personChanged']],
  ])('a straight face at cosine %d gives %j', (likeness, reasons) => {
    expect(withFrame({ face: { embedding: resembling(personOf(0), likeness) } }).reasons).toEqual(reasons)
  })

  test('fails if two people are each similar to a blend of both', () => {
    const [one, other] = [personOf(0), personOf(1)]
    const mixed = one.map((value, i) => (value + other[i]!) * Math.SQRT1_2)
    const before = [one, mixed, other].map((embedding, i) => straight({ face: { embedding, yaw: i } }))
    const { reasons, evidence } = decide(
      {},
      { observations: [...before, turned({ face: { embedding: mixed } })] },
    )
    expect(evidence).toMatchObject({ leastLikeness: expect.closeTo(0), likenessLimit: samePerson.frontal })
    expect(reasons).toEqual(['personChanged'])
  })

  test('is required even without liveness', () => {
    const two = [straight(), straight({ face: { embedding: personOf(1) } })]
    expect(decide({ liveness: false }, { observations: two }).reasons).toEqual(['personChanged'])
  })
})

describe('several faces', () => {
  const counted = (...counts: readonly number[]) => counts.map((faceCount) => straight({ faceCount }))

  test.each([
    [[1, 1, 1], 1],
    [[1, 2, 1], 1],
    [[2, 2, 1], 2],
    [[3, 2, 1], 2],
    [[2], 2],
    [[0, 0], 0],
  ])('frames that show %j make %d', (counts, total) => {
    expect(decide({}, { observations: counted(...counts) }).totalFaceCount).toBe(total)
  })

  test('counts faces of any size in view, and treats them as no second person in the check', () => {
    const observations = [...counted(1, 1), straight({ faceCount: 1, inView: 5 })]
    const { totalFaceCount, reasons } = decide({ failOnMultipleFaces: true }, { observations })
    expect([totalFaceCount, reasons]).toEqual([5, []])
  })

  test('counts faces in view if none is near enough', () => {
    const nobody = { ...straight({ inView: 6, faceCount: 0 }), face: null }
    const { totalFaceCount, reasons } = decide({}, { observations: [nobody] })
    expect([totalFaceCount, reasons]).toEqual([6, expect.arrayContaining(['noFace'])])
  })

  test('counts the near faces if fewer are found in view', () => {
    const observations = [straight({ faceCount: 2, inView: 1 }), ...counted(2)]
    expect(decide({}, { observations }).totalFaceCount).toBe(2)
  })

  test.each([
    [true, [2, 2], ['multipleFaces']],
    [true, [2, 1, 1], []],
    [false, [2, 2], []],
  ])('failOnMultipleFaces %j with %j gives %j', (failOnMultipleFaces, counts, reasons) => {
    expect(decide({ failOnMultipleFaces }, { observations: counted(...counts) }).reasons).toEqual(reasons)
  })
})

describe('age', () => {
  const above = (threshold: number, marginInYears = 0): AgeRule => ({
    type: 'ThresholdVerification',
    threshold,
    direction: 'Above',
    marginInYears,
  })
  const below = (threshold: number, marginInYears = 0): AgeRule => ({
    type: 'ThresholdVerification',
    threshold,
    direction: 'Below',
    marginInYears,
  })
  const range: AgeRule = { type: 'RangeVerification', minimum: 18, maximum: 30 }

  test.each([
    [above(18), 17.999, false],
    [above(18), 18, true],
    [above(18, 7), 24.999, false],
    [above(18, 7), 25, true],
    [below(18), 17.999, true],
    [below(18), 18, false],
    [below(18, 3), 14.999, true],
    [below(18, 3), 15, false],
    [range, 17.999, false],
    [range, 18, true],
    [range, 30, true],
    [range, 30.001, false],
  ])('%j with an estimate of %d: %j', (rule, estimate, meets) => {
    expect(meetsAgeRule(rule, estimate)).toBe(meets)
  })

  const aged = (age: Rules['age'], prediction: number, uncertainty = 0.6) =>
    decide(
      { age },
      {
        observations: honest.map((frame) =>
          frameOf({ ...frame, face: { ...frame.face!, age: { prediction, uncertainty } } }),
        ),
      },
    )

  test('compares the estimate before it is rounded down', () => {
    expect(aged(below(18), 17.9)).toMatchObject({
      reasons: [],
      age: 'Pass',
      estimatedAge: expect.closeTo(17.9),
    })
    expect(aged(range, 30.9)).toMatchObject({ reasons: ['ageNotMet'], age: 'Fail' })
  })

  test.each([
    [1, [], 'Pass'],
    [1.0001, ['ageUncertain'], 'Fail'],
  ])('of an uncertainty of %d gives %j', (uncertainty, reasons, result) => {
    expect(aged(above(18), 40, uncertainty)).toMatchObject({ reasons, age: result })
  })

  test('is uncertain rather than not met, whatever the estimate', () => {
    expect(aged(above(18), 10, 1.2).reasons).toEqual(['ageUncertain'])
  })

  test.each([
    [{ type: 'Disabled' } as const, 'NotExecuted', null],
    [{ type: 'CalculationOnly' } as const, 'Pass', 34],
  ])('%j never fails', (age, result, estimatedAge) => {
    expect(aged(age, 34, 1.5)).toMatchObject({
      reasons: [],
      age: result,
      estimatedAge: estimatedAge === null ? null : expect.closeTo(estimatedAge),
    })
  })

  test('fails a rule without an estimate', () => {
    const unread = honest.map((frame) => frameOf({ ...frame, face: { ...frame.face!, age: null } }))
    expect(decide({ age: above(18) }, { observations: unread })).toMatchObject({
      reasons: ['ageUncertain'],
      age: 'Fail',
    })
  })

  test('is the median of the frames, so that a single outlier has no effect', () => {
    const frames = [30, 31, 32, 80].map((prediction) =>
      straight({ face: { age: { prediction, uncertainty: prediction === 80 ? 3 : 0.5 } } }),
    )
    const decided = decide({ age: above(18) }, { observations: frames })
    expect(decided).toMatchObject({ age: 'Pass', estimatedAge: expect.closeTo(31.5) })
  })

  test('is only estimated from straight frames', () => {
    const frames = [
      straight({ face: { age: { prediction: 20, uncertainty: 0.5 } } }),
      straight({ face: { age: { prediction: 30, uncertainty: 0.5 } } }),
      turned({ face: { age: { prediction: 90, uncertainty: 2 } } }),
    ]
    expect(decide({ age: above(18) }, { observations: frames }).estimatedAge).toBeCloseTo(25)
  })
})

describe('gender', () => {
  const gendered = (male: number, gender = true) =>
    decide(
      { gender },
      {
        observations: honest.map((frame) =>
          frameOf({ ...frame, face: { ...frame.face!, gender: { male, confidence: 0.9 } } }),
        ),
      },
    )

  test.each([
    [0.5, 'Male'],
    [0.4999, 'Female'],
  ])('male %d is %s', (male, estimatedGender) => {
    expect(gendered(male)).toMatchObject({ estimatedGender, gender: 'Pass' })
  })

  test('is omitted unless requested', () => {
    expect(gendered(0.9, false)).toMatchObject({ estimatedGender: null, gender: 'NotExecuted' })
  })
})

describe('the portrait', () => {
  test('is the unit mean of the straight frames', () => {
    const a = resembling(personOf(0), 0.8)
    const frames = [
      straight(),
      straight({ face: { embedding: a } }),
      turned({ face: { embedding: resembling(personOf(0), 0.3) } }),
    ]
    const portrait = decide({}, { observations: frames }).portrait!
    expect(cosine(portrait, portrait)).toBeCloseTo(1)
    expect(cosine(portrait, personOf(0))).toBeCloseTo(cosine(portrait, a))
  })

  test('is null without an embedded frame', () => {
    const plain = honest.map((frame) => frameOf({ ...frame, face: { ...frame.face!, embedding: [] } }))
    expect(decide({}, { observations: plain }).portrait).toBeNull()
  })

  test('is nearer to the frames of better quality', () => {
    const [a, b] = [resembling(personOf(0), 0.8), personOf(0)]
    const portraitOf = (first: number, second: number) =>
      decide(
        {},
        {
          observations: [
            frameOf({ face: { embedding: a, frameQuality: first } }),
            frameOf({ face: { embedding: b, frameQuality: second } }),
          ],
        },
      ).portrait!
    expect(cosine(portraitOf(0.5, 0.5), a)).toBeCloseTo(cosine(portraitOf(0.5, 0.5), b))
    expect(cosine(portraitOf(0, 0.6), b)).toBeGreaterThan(cosine(portraitOf(0.6, 0.6), b))
    expect(cosine(portraitOf(0, 0), a)).toBeCloseTo(cosine(portraitOf(1, 1), a))
  })
})

describe('emotion', () => {
  const moods = [
    { happy: 0.2, sad: 0.8 },
    { happy: 0.6, sad: 0.4 },
  ].map((expressions) => straight({ face: { expressions } }))

  test('is the mean over the frames, and only on request', () => {
    expect(decide({ emotion: true }, { observations: moods }).emotion).toEqual({
      happy: expect.closeTo(0.4),
      sad: expect.closeTo(0.6),
    })
    expect(decide({}, { observations: moods }).emotion).toBeNull()
  })
})
