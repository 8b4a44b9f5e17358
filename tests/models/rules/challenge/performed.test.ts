import { describe, expect, test } from 'vitest'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { contradicts } from '#models/rules/challenge/movement.ts'
import { isAhead, movementsOf, performedIn, strays } from '#models/rules/challenge/performed.ts'
import { neutralOf } from '#models/rules/face/neutral-face.ts'
import { rigidPoints } from '#models/rules/face/pose.ts'
import { isTurned } from '#models/rules/fair-frame.ts'
import { isSamePerson, leastLikeness, samePerson } from '#models/rules/same-person.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { meshAt, tilted } from '../../../support/drawn/canonical-mesh.ts'
import {
  type FaceOptions,
  faceOf,
  frameOf,
  personOf,
  resembling,
} from '../../../support/drawn/observations.ts'

const neutral = neutralOf([frameOf(), frameOf(), frameOf()])!

/** The movements in a frame with this face, compared with the neutral one. */
const shown = (face: FaceOptions) => [...movementsOf(frameOf({ face }), neutral)]

const beyond = 1e-6

describe('the neutral face', () => {
  test('is that of the frame in the middle, with medians for its measures', () => {
    const frames = [-3, 0, 12].map((yaw) => frameOf({ face: { yaw } }))
    const middle = neutralOf(frames)!
    expect(middle.yaw).toBeCloseTo(0, 4)
    expect(middle.points).toEqual(frames[1]!.face!.points)
  })

  test('takes its size relative to the shorter side of the picture', () => {
    expect(neutralOf([frameOf({ width: 480, height: 640 })])!.size).toBeCloseTo(200 / 480)
  })

  test('is not shifted by one frame that blinks and smiles', () => {
    const odd = frameOf({ face: { eyeOpenness: 0.01, smile: 2, expressions: { happy: 1 } } })
    const middle = neutralOf([frameOf(), odd, frameOf()])!
    expect(middle).toMatchObject({ eyeOpenness: neutral.eyeOpenness, smile: neutral.smile, happy: 0.05 })
  })

  test.each([
    [13.9, true],
    [14.1, false],
    [-13.9, true],
    [-14.1, false],
  ])('is taken from a frame at yaw %d: %j', (yaw, taken) => {
    expect(neutralOf([frameOf({ face: { yaw } })]) !== undefined).toBe(taken)
    expect(neutralOf([frameOf(), frameOf(), frameOf({ face: { yaw } })])!.yaw).toBeCloseTo(0, 4)
  })

  test('ignores frames without a face', () => {
    expect(neutralOf([])).toBeUndefined()
    expect(neutralOf([frameOf({ face: null })])).toBeUndefined()
    expect(neutralOf([frameOf({ face: null }), frameOf()])!.embedding).toEqual(personOf(0))
  })
})

describe('movements of a solid head', () => {
  test.each([
    [{ yaw: 25 }, ['turnLeft']],
    [{ yaw: -25 }, ['turnRight']],
    [{ pitch: 20 }, ['lookUp']],
    [{ pitch: -25 }, ['lookDown']],
    [{ yaw: 4, pitch: 3 }, []],
    [{ yaw: 14 }, []],
    [{ yaw: -14 }, []],
    [{ pitch: 12 }, []],
    [{ pitch: 16 }, ['lookUp']],
    [{ pitch: -14 }, []],
    [{ pitch: -18 }, ['lookDown']],
    [{ yaw: 14, pitch: 25 }, []],
    [{ yaw: 30, pitch: 25 }, ['turnLeft']],
  ])('%j shows %j', (pose, movements) => {
    expect(shown(pose)).toEqual(movements)
  })

  test('are measured from the neutral pose, not from the camera', () => {
    const aside = neutralOf([frameOf({ face: { yaw: 12 } })])!
    expect([...movementsOf(frameOf({ face: { yaw: 20 } }), aside)]).toEqual([])
    expect([...movementsOf(frameOf({ face: { yaw: -14 } }), aside)]).toEqual(['turnRight'])
  })

  test('are empty without a face', () => {
    expect(movementsOf(frameOf({ face: null }), neutral).size).toBe(0)
  })
})

describe('limits of a turn', () => {
  const solid = rigidPoints(meshAt({ yaw: 30 }))
  const at = (yaw: number, turn: number) =>
    shown({ pose: { yaw: neutral.yaw + yaw, pitch: neutral.pitch, roll: 0 }, turn, points: solid })
  const { turnDegrees, turnOfNose } = actionLimits

  test.each([
    [turnDegrees + beyond, turnOfNose + beyond, ['turnLeft']],
    [turnDegrees - beyond, turnOfNose + beyond, []],
    [turnDegrees + beyond, turnOfNose - beyond, []],
    [-turnDegrees - beyond, -turnOfNose - beyond, ['turnRight']],
    [-turnDegrees + beyond, -turnOfNose - beyond, []],
    [-turnDegrees - beyond, -turnOfNose + beyond, []],
    [turnDegrees + beyond, -turnOfNose - beyond, []],
  ])('yaw %d with the nose at %d shows %j', (yaw, turn, movements) => {
    expect(at(yaw, turn)).toEqual(movements)
  })
})

describe('the width of a turned head', () => {
  const { breadth } = actionLimits

  test.each([
    [25, breadth + beyond, ['turnLeft']],
    [25, breadth - beyond, []],
    [-25, breadth + beyond, ['turnRight']],
    [-25, breadth - beyond, []],
    [25, 1.15, ['turnLeft']],
  ])('at yaw %d, %d of its former width, shows %j', (yaw, share, movements) => {
    expect(shown({ yaw, breadth: share * neutral.breadth })).toEqual(movements)
  })

  test('does not change with a nod', () => {
    expect(shown({ pitch: 20, breadth: 0.8 * neutral.breadth })).toEqual(['lookUp'])
  })

  test('is compared with the middle one of the neutral frames', () => {
    const narrow = frameOf({ face: { breadth: 0.8 * neutral.breadth } })
    expect(neutralOf([frameOf(), narrow, frameOf()])!.breadth).toBeCloseTo(neutral.breadth)
  })
})

describe('limits of a nod', () => {
  const solid = rigidPoints(meshAt({ pitch: 25 }))
  const at = (pitch: number, yaw = 0) =>
    shown({ pose: { yaw: neutral.yaw + yaw, pitch: neutral.pitch + pitch, roll: 0 }, turn: 0, points: solid })
  const { upDegrees, downDegrees, straightWithinDegrees } = actionLimits

  test.each([
    [upDegrees + beyond, 0, ['lookUp']],
    [upDegrees - beyond, 0, []],
    [-downDegrees - beyond, 0, ['lookDown']],
    [-downDegrees + beyond, 0, []],
    [upDegrees + beyond, straightWithinDegrees - beyond, ['lookUp']],
    [upDegrees + beyond, straightWithinDegrees + beyond, []],
    [-downDegrees - beyond, -straightWithinDegrees - beyond, []],
  ])('pitch %d at yaw %d shows %j', (pitch, yaw, movements) => {
    expect(at(pitch, yaw)).toEqual(movements)
  })
})

describe('a flat picture', () => {
  test.each([
    { yaw: 30, pitch: 0 },
    { yaw: -45, pitch: 0 },
    { yaw: 0, pitch: 35 },
    { yaw: 20, pitch: 20 },
  ])('tilted by %j counts as no movement, whatever the measured pose', (degrees) => {
    const points = rigidPoints(tilted(meshAt({}), degrees))
    for (const read of [
      { yaw: 40, pitch: 4, turn: 0.8 },
      { yaw: -40, pitch: 4, turn: -0.8 },
      { yaw: 0, pitch: 40, turn: 0 },
      { yaw: 0, pitch: -40, turn: 0 },
    ]) {
      expect(shown({ pose: { yaw: read.yaw, pitch: read.pitch, roll: 0 }, turn: read.turn, points })).toEqual(
        [],
      )
    }
  })

  test('of a turned face, shown straight, counts as a turn: the points are not in one plane with those of the step before', () => {
    expect(shown({ yaw: 25 })).toEqual(['turnLeft'])
  })
})

describe('movements of the face', () => {
  const { happyRise, eyesShut } = actionLimits
  const [happy, smileRise] = [actionLimits.happy.needed, actionLimits.smileRise.needed]
  const closer = actionLimits.closer.needed
  const smiling = (share: number, rise: number) =>
    shown({ expressions: { happy: share }, smile: neutral.smile + rise })

  test.each([
    [happy, smileRise + beyond, ['smile']],
    [happy - beyond, smileRise + beyond, []],
    [happy, smileRise - beyond, []],
  ])('happy %d with the mouth drawn by %d shows %j', (share, rise, movements) => {
    expect(smiling(share, rise)).toEqual(movements)
  })

  test.each([
    [happyRise + beyond, ['smile']],
    [happyRise - beyond, []],
  ])('happy that rises by %d above a cheerful neutral face shows %j', (rise, movements) => {
    const cheerful = { ...neutral, happy: 0.5 }
    const face = { expressions: { happy: 0.5 + rise }, smile: neutral.smile + 0.1 }
    expect([...movementsOf(frameOf({ face }), cheerful)]).toEqual(movements)
  })

  test('include no smile if expressions were not requested', () => {
    expect(shown({ expressions: null, smile: neutral.smile + 0.5 })).toEqual([])
  })

  test.each([
    [{ left: 0.9, right: 0.9 }, eyesShut - beyond, ['blink']],
    [{ left: 0.5, right: 0.1 }, eyesShut - beyond, ['blink']],
    [{ left: 0.49, right: 0.49 }, eyesShut - beyond, []],
    [{ left: 0.9, right: 0.9 }, eyesShut + beyond, []],
    [null, eyesShut - beyond, ['blink']],
  ])('eyes closed by %j and open by %d of their own show %j', (eyesClosed, share, movements) => {
    expect(shown({ eyesClosed, eyeOpenness: share * neutral.eyeOpenness })).toEqual(movements)
  })

  test.each([
    [200 * closer + beyond, ['comeCloser']],
    [200 * closer - 0.01, []],
  ])('a face %d pixels wide, of 200 before, shows %j', (width, movements) => {
    expect(shown({ box: { x: 0, y: 0, width, height: 240 } })).toEqual(movements)
  })
})

describe('a requested action', () => {
  const doing: Readonly<Record<Action, FaceOptions>> = {
    turnLeft: { yaw: 25 },
    turnRight: { yaw: -25 },
    lookUp: { pitch: 20 },
    blink: { eyesClosed: { left: 1, right: 1 }, eyeOpenness: 0.5 * neutral.eyeOpenness },
    smile: { expressions: { happy: 0.9 }, smile: neutral.smile + 0.1 },
    comeCloser: { box: { x: 150, y: 50, width: 300, height: 360 } },
  }
  const actions = Object.keys(doing) as Action[]
  const frames = (action: Action) => [frameOf(), frameOf({ face: doing[action] }), frameOf()]

  test.each(actions)('%s is performed by one frame that shows it', (action) => {
    expect(performedIn(action, frames(action), neutral)).toBe('performed')
  })

  test.each(actions)('%s is not performed by looking straight', (action) => {
    expect(performedIn(action, [frameOf(), frameOf()], neutral)).toBe('notPerformed')
  })

  test.each(
    actions.flatMap((asked) =>
      (['turnLeft', 'turnRight', 'lookUp'] as const)
        .filter((other) => other !== asked)
        .map((other) => [asked, other] as const),
    ),
  )('%s is refused when %s is shown as well', (asked, other) => {
    expect(performedIn(asked, [...frames(asked), ...frames(other)], neutral)).toBe('otherAction')
  })

  test('is refused if the person looks down as well', () => {
    const down = frameOf({ face: { pitch: -25 } })
    expect(performedIn('lookUp', [...frames('lookUp'), down], neutral)).toBe('otherAction')
  })

  test.each(['blink', 'smile', 'comeCloser'] as const)(
    'is accepted along with a %s, which happens to everyone',
    (other) => {
      expect(contradicts(other, 'turnLeft')).toBe(false)
      expect(performedIn('turnLeft', [...frames('turnLeft'), ...frames(other)], neutral)).toBe('performed')
    },
  )

  describe('the way back from the previous action', () => {
    const back = [frameOf({ face: { yaw: 40 } }), frameOf({ face: { yaw: 20 } })]

    test('counts as no other action along its own movement', () => {
      expect(performedIn('lookUp', [...back, ...frames('lookUp')], neutral)).toBe('otherAction')
      expect(performedIn('lookUp', [...back, ...frames('lookUp')], neutral, 'turnLeft')).toBe('performed')
      expect(performedIn('smile', [...back, ...frames('smile')], neutral, 'turnLeft')).toBe('performed')
    })

    test('excuses only that movement', () => {
      expect(performedIn('lookUp', [...back, ...frames('lookUp')], neutral, 'turnRight')).toBe('otherAction')
    })

    test('is over when the face was straight once, or was lost', () => {
      for (const straight of [frameOf(), frameOf({ face: null })]) {
        const again = [...back, straight, ...back, ...frames('lookUp')]
        expect(performedIn('lookUp', again, neutral, 'turnLeft')).toBe('otherAction')
      }
    })

    test('is undefined if the head never comes back', () => {
      expect(performedIn('lookUp', back, neutral, 'turnLeft')).toBe('otherAction')
    })

    test('counts as the action if that is requested again', () => {
      expect(performedIn('turnLeft', back, neutral, 'turnLeft')).toBe('performed')
    })
  })

  test('blink is not performed by eyes that stay shut', () => {
    const shut = frameOf({ face: doing.blink })
    expect(performedIn('blink', [shut, shut], neutral)).toBe('notPerformed')
  })

  test.each([
    [actionLimits.eyesOpen + beyond, 'performed'],
    [actionLimits.eyesOpen - beyond, 'notPerformed'],
  ])('blink with eyes that open again to %d of their own is %s', (share, outcome) => {
    const open = frameOf({ face: { eyeOpenness: share * neutral.eyeOpenness } })
    expect(performedIn('blink', [frameOf({ face: doing.blink }), open], neutral)).toBe(outcome)
  })
})

describe('the person who acts', () => {
  const turnedAt = (cosine: number) =>
    frameOf({ face: { yaw: 25, embedding: resembling(personOf(0), cosine) } })

  test.each([
    [samePerson.acting + beyond, 'performed'],
    [samePerson.acting - beyond, 'notPerformed'],
  ])('a turn at cosine %d is %s', (likeness, outcome) => {
    expect(performedIn('turnLeft', [frameOf(), turnedAt(likeness)], neutral)).toBe(outcome)
  })

  test('needs to be clear in one frame of the turn only', () => {
    const frames = [turnedAt(samePerson.moving), turnedAt(0.7)]
    expect(performedIn('turnLeft', frames, neutral)).toBe('performed')
  })

  test('is not compared if faces are not embedded', () => {
    expect(performedIn('turnLeft', [frameOf({ face: { yaw: 25, embedding: [] } })], neutral)).toBe(
      'performed',
    )
  })
})

describe('before the first action', () => {
  test.each([
    [{ yaw: 25 }, true],
    [{ pitch: -25 }, true],
    [{ yaw: 8, pitch: 5 }, false],
    [{ expressions: { happy: 1 }, smile: 2 }, false],
  ])('%j is ahead of it: %j', (face, ahead) => {
    expect(isAhead(frameOf({ face }), neutral)).toBe(ahead)
  })

  test('a frame without a face is not', () => {
    expect(isAhead(frameOf({ face: null }), neutral)).toBe(false)
  })
})

describe('leastLikeness', () => {
  const alike = (cosine: number, yaw = 0) =>
    frameOf({ face: { yaw, embedding: resembling(personOf(0), cosine) } })

  test('is the value nearest to its limit among all comparisons', () => {
    const seen = [alike(1), alike(0.6), alike(0.8), frameOf({ face: null })]
    const least = { value: expect.closeTo(0.6), limit: samePerson.frontal }
    expect(leastLikeness({ seen, frontal: [], neutral })).toEqual(least)
    expect(leastLikeness({ seen: [...seen, alike(0.5, 25)], frontal: [], neutral })).toEqual(least)
    const moving = { value: expect.closeTo(0.4), limit: samePerson.moving }
    expect(leastLikeness({ seen: [...seen, alike(0.4, 25)], frontal: [], neutral })).toEqual(moving)
  })

  test('is that of the two straight frames that differ most', () => {
    const mixed = personOf(0).map((value, i) => (value + personOf(1)[i]!) * Math.SQRT1_2)
    const seen = [personOf(0), mixed, personOf(1)].map((embedding) => frameOf({ face: { embedding } }))
    const between = neutralOf([seen[1]!])!
    const { value, limit } = leastLikeness({ seen, frontal: seen, neutral: between })!
    expect(value).toBeLessThan(0.1)
    expect(limit).toBe(samePerson.frontal)
  })

  test('is undefined without embeddings or faces', () => {
    const seen = [frameOf({ face: { embedding: [] } })]
    expect(leastLikeness({ seen, frontal: seen, neutral })).toBeUndefined()
    expect(leastLikeness({ seen: [], frontal: [], neutral: undefined })).toBeUndefined()
  })
})

describe('after the last action', () => {
  const { turnDegrees, turnOfNose, upDegrees, downDegrees } = actionLimits
  const share = 0.8
  const solid = rigidPoints(meshAt({ yaw: 30 }))
  const at = (yaw: number, pitch: number, turn: number) =>
    frameOf({
      face: {
        pose: { yaw: neutral.yaw + yaw, pitch: neutral.pitch + pitch, roll: 0 },
        turn: neutral.turn + turn,
        points: solid,
      },
    })
  const nose = share * turnOfNose + beyond

  test.each([
    ['a turn', share * turnDegrees + beyond, 0, nose, true],
    ['less than a turn', share * turnDegrees - beyond, 0, nose, false],
    ['a turn without the nose', share * turnDegrees + beyond, 0, nose - 2 * beyond, false],
    ['a turn to the other side', -share * turnDegrees - beyond, 0, -nose, true],
    ['a look up', 0, share * upDegrees + beyond, 0, true],
    ['less than a look up', 0, share * upDegrees - beyond, 0, false],
    ['a look down', 0, -share * downDegrees - beyond, 0, true],
    ['less than a look down', 0, -share * downDegrees + beyond, 0, false],
  ])('%s (yaw %d, pitch %d, nose %d) strays at 0.8 of an action: %j', (_, yaw, pitch, turn, strayed) => {
    expect(strays(at(yaw, pitch, turn), neutral, 'smile')).toBe(strayed)
  })

  test('accepts more of the requested action, but not its opposite', () => {
    expect(strays(frameOf({ face: { yaw: 25 } }), neutral, 'turnLeft')).toBe(false)
    expect(strays(frameOf({ face: { yaw: -25 } }), neutral, 'turnLeft')).toBe(true)
  })

  test('accepts a flat picture, a smile, and a frame without a face', () => {
    const flat = rigidPoints(tilted(meshAt({}), { yaw: 30, pitch: 0 }))
    const turned = { pose: { yaw: 40, pitch: 0, roll: 0 }, turn: 0.8, points: flat }
    for (const face of [turned, { expressions: { happy: 1 }, smile: 2 }, null]) {
      expect(strays(frameOf({ face }), neutral, 'lookUp')).toBe(false)
    }
  })
})

describe('one and the same person', () => {
  const looksLike = (cosine: number, yaw = 0) =>
    isSamePerson([frameOf(), frameOf({ face: { yaw, embedding: resembling(personOf(0), cosine) } })], neutral)

  test.each([
    [samePerson.frontal + beyond, 0, true],
    [samePerson.frontal - beyond, 0, false],
    [samePerson.moving + beyond, 25, true],
    [samePerson.moving - beyond, 25, false],
    [0, 0, false],
  ])('cosine %d at yaw %d: %j', (cosine, yaw, same) => {
    expect(looksLike(cosine, yaw)).toBe(same)
  })

  test.each([
    [0.94, 0, true],
    [0.92, 0, false],
    [0.92, 25, true],
    [0.9, 25, false],
  ])('by the embeddings of the conservative pack, cosine %d at yaw %d: %j', (cosine, yaw, same) => {
    const one = Array.from({ length: 128 }, (_, i) => Number(i === 0))
    const other = one.map((value, i) => (i === 1 ? Math.sqrt(1 - cosine ** 2) : value * cosine))
    const first = neutralOf([frameOf({ face: { embedding: one } })])!
    expect(isSamePerson([frameOf({ face: { yaw, embedding: other } })], first)).toBe(same)
  })

  test('ignores frames without a face or an embedding', () => {
    expect(isSamePerson([frameOf({ face: null }), frameOf({ face: { embedding: [] } })], neutral)).toBe(true)
  })

  test.each([
    [9.9, 0, false],
    [10.1, 0, true],
    [-10.1, 0, true],
    [0, 8.9, false],
    [0, 9.1, true],
    [0, -9.1, true],
  ])('yaw %d and pitch %d count as turned: %j', (yaw, pitch, turned) => {
    expect(isTurned(faceOf({ yaw, pitch }), neutral)).toBe(turned)
  })
})
