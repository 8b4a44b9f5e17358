import { describe, expect, test } from 'vitest'
import type { FaceAnalysis } from '#models/rules/analysis.ts'
import {
  decide,
  type ExpressionFlag,
  expressionFlags,
  expressionOfFlag,
  type Limits,
  noSignals,
  signalsOf,
} from '#models/rules/signals.ts'
import calibrated from '../../../models/calibration/flags.json' with { type: 'json' }
import { seenIn } from '../../support/seen.ts'

const face = seenIn({ person: 'anna' }, {}).face!
const signals = (look: Partial<FaceAnalysis>) => signalsOf({ ...face, ...look })
const untold = { confusion: null, contempt: null, empathy: null }

test('are null without a face', () => {
  expect(signalsOf(undefined)).toEqual(noSignals)
  expect(Object.values(noSignals).filter((signal) => signal !== null)).toEqual([false])
})

describe('eyes on the screen', () => {
  const pose = (yaw: number, pitch = 0) => ({ pose: { yaw, pitch, roll: 0 } })
  const lids = (left: number, right: number, eyeOpenness = face.eyeOpenness) => ({
    eyesClosed: { left, right },
    eyeOpenness,
  })

  test.each([
    ['straight', pose(0), true],
    ['turned by 15 degrees', pose(15), true],
    ['turned a little further', pose(16), null],
    ['turned by 25 degrees', pose(-25), false],
    ['looking up by 15 degrees', pose(0, 15), true],
    ['looking up a little further', pose(0, 16), null],
    ['looking down by 25 degrees', pose(0, -25), false],
    ['winking', lids(1, 0), true],
    ['with closed eyes', lids(0.9, 0.9, 0.18), false],
    ['with eyes that the network alone takes for closed', lids(0.9, 0.9, 0.24), null],
    ['with eyes that the mesh alone takes for closed', lids(0.1, 0.1, 0.14), null],
    ['blinking', lids(0.5, 0.5), null],
    ['small', { box: { ...face.box, width: 47 } }, null],
  ] as [string, Partial<FaceAnalysis>, boolean | null][])('of a face that is %s: %j', (_name, look, eyes) => {
    const { eyesOnScreen, attention, presence, hasFace } = signals(look)
    expect([hasFace, presence, eyesOnScreen, attention]).toEqual([true, true, eyes, eyes])
  })

  test('are null in a poor view', () => {
    expect(signals({ presence: 0.8 })).toMatchObject({ eyesOnScreen: true, attention: null })
  })
})

describe('expressions', () => {
  test.each([
    ['a small face', { box: { ...face.box, width: 39 } }],
    ['a face turned far', { pose: { yaw: 45, pitch: 0, roll: 0 } }],
    ['a face that lies on its side', { pose: { yaw: 0, pitch: 0, roll: -46 } }],
    ['an uncertain face', { presence: 0.8 }],
  ] as [string, Partial<FaceAnalysis>][])('of %s are null', (_name, look) => {
    expect(signals(look)).toMatchObject({ happy: null, surprise: null, disgust: null, ...untold })
  })

  const limitsOf: Readonly<Record<ExpressionFlag, Limits>> = calibrated

  test.each(expressionFlags)('tell %s by the calibrated limits', (flag) => {
    const { yes, no } = limitsOf[flag]
    const shown = (value: number) =>
      signals({ expressions: { ...face.expressions!, [expressionOfFlag[flag]]: value } })[flag]
    expect([shown(1), shown(0.4), shown(0)]).toEqual([
      yes === null ? null : true,
      null,
      no === null ? null : false,
    ])
  })

  test.each([
    [0.9, true],
    [0.89, null],
    [0.11, null],
    [0.1, false],
  ])('of a share of %d are %j between 0.9 and 0.1', (value, answer) => {
    expect(decide(value, { yes: 0.9, no: 0.1 })).toBe(answer)
  })

  test('without a reliable limit are null', () => {
    expect([0, 1].map((value) => decide(value, { yes: null, no: null }))).toEqual([null, null])
  })
})
