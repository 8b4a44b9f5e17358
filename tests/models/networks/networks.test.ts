import { describe, expect, test } from 'vitest'
import { estimateDemographic } from '#models/networks/demographic.ts'
import { embed, embedders } from '#models/networks/embedder.ts'
import { recogniseExpression } from '#models/networks/expression.ts'
import { closedEyes, eyeOpennessOf } from '#models/networks/eyes.ts'
import { Picture } from '#models/picture/picture.ts'
import type { Tensor } from '#models/picture/tensor.ts'
import { expectedErrorInYears, rejectAtYears, uncertaintyOf } from '#models/rules/age/age-uncertainty.ts'
import { expressionNames } from '#models/rules/analysis.ts'
import { embeddingLengths, toUnit } from '#models/rules/embedding.ts'
import { boundingBox } from '#models/rules/face/mesh.ts'
import { smileOf } from '#models/rules/face/smile.ts'
import { genderConfidence } from '#models/rules/gender.ts'
import { lookUp } from '#models/rules/lookup.ts'
import manifest from '../../../models/weights/manifest.json' with { type: 'json' }
import { meshAt } from '../../support/drawn/canonical-mesh.ts'
import { drawn } from '../../support/drawn/frames.ts'

const mesh = meshAt({})
const picture = new Picture(drawn(640, 480, () => [30, 60, 90]))

/** A network that returns these answers one after another, and records its input. */
function answering(...answers: readonly Readonly<Record<string, readonly number[]>>[]) {
  const fed: Tensor[] = []
  const run = async (input: Tensor) => {
    const answer = answers[fed.length % answers.length]!
    fed.push(input)
    return Object.fromEntries(
      Object.entries(answer).map(([name, data]) => [
        name,
        { data: Float32Array.from(data), dims: [1, data.length] },
      ]),
    )
  }
  return { fed, session: { run } }
}

describe('embed', () => {
  test('returns a unit vector midway between the face and its mirror image, and their original length', async () => {
    const { session } = answering({ embedding: [3, 0, 0, 0, 0, 5] })
    const { embedding, strength } = await embed(session, picture, mesh)
    expect(Array.from(embedding)).toEqual([expect.closeTo(Math.SQRT1_2), 0, expect.closeTo(Math.SQRT1_2)])
    expect(strength).toBe(4)
  })

  test('feeds blue first, centred on zero', async () => {
    const { session, fed } = answering({ embedding: [1, 1] })
    await embed(session, picture, mesh)
    const plane = 112 * 112
    const middle = plane / 2 + 56
    expect([0, 1, 2].map((channel) => fed[0]!.data[channel * plane + middle])).toEqual(
      [90, 60, 30].map((value) => expect.closeTo((value - 127) / 128, 5)),
    )
  })

  test('feeds the face and its mirror image in one run', async () => {
    const { session, fed } = answering({ embedding: [1, 1] })
    await embed(session, new Picture(drawn(640, 480, (x) => [x % 256, 0, 0])), mesh)
    const { data, dims } = fed[0]!
    expect(dims).toEqual([2, 3, 112, 112])
    const row = (start: number) => Array.from(data.subarray(start, start + 112))
    for (const start of [0, 2 * 112 * 112 + 50 * 112]) {
      expect(row(data.length / 2 + start)).toEqual(row(start).reverse())
    }
    expect(fed).toHaveLength(1)
  })

  test('feeds a network of the conservative pack in its own format: larger, red first, unscaled', async () => {
    const { session, fed } = answering({ embedding: [1, 1] })
    await embed(session, picture, mesh, embedders['dlib-face/2'])
    expect(fed[0]!.dims).toEqual([2, 3, 150, 150])
    const plane = 150 * 150
    const middle = plane / 2 + 75
    expect([0, 1, 2].map((channel) => fed[0]!.data[channel * plane + middle])).toEqual([30, 60, 90])
  })

  test("feeds an operator's network one face per run, with the mean and deviation of its training", async () => {
    const { session, fed } = answering({ output0: [3, 0, 0] }, { output0: [0, 0, 5] })
    const { embedding, strength } = await embed(session, picture, mesh, embedders['foamliu-face/1'])
    expect(Array.from(embedding)).toEqual([expect.closeTo(Math.SQRT1_2), 0, expect.closeTo(Math.SQRT1_2)])
    expect(strength).toBe(4)
    expect(fed.map(({ dims }) => dims)).toEqual([
      [1, 3, 112, 112],
      [1, 3, 112, 112],
    ])
    const plane = 112 * 112
    const middle = plane / 2 + 56
    expect([0, 1, 2].map((channel) => fed[0]!.data[channel * plane + middle])).toEqual([
      expect.closeTo((30 / 255 - 0.485) / 0.229, 4),
      expect.closeTo((60 / 255 - 0.456) / 0.224, 4),
      expect.closeTo((90 / 255 - 0.406) / 0.225, 4),
    ])
  })

  test.each(['fr-feature/2', 'dlib-face/2'] as const)(
    '%s is named after a network of the manifest, with its length and input',
    (model) => {
      const { network, feed } = embedders[model]
      const length = embeddingLengths[model]
      const { outputs, input } = manifest.models[network as 'fr-feature' | 'dlib-face']
      expect(model).toMatch(new RegExp(`^${network}/\\d+$`))
      expect(outputs.embedding).toEqual(['N', length])
      expect(input).toMatchObject({ size: feed.size, colour: feed.channels, scale: feed.scale })
    },
  )

  test('leaves a zero vector unchanged', () => {
    expect(Array.from(toUnit([0, 0]))).toEqual([0, 0])
  })
})

describe('age and gender', () => {
  const first = (...ages: readonly number[]) =>
    answering(...ages.map((age) => ({ age: [age], gender: [0.6, 0.4] })))
  /** Two equally likely ages in years. */
  const second = (years: readonly [number, number], male: number) =>
    answering({ age: Array.from({ length: 100 }, (_, i) => (years.includes(i) ? 0.5 : 0)), gender: [male] })
  const light = async (...ages: readonly number[]) =>
    estimateDemographic({ first: first(...ages).session }, picture, mesh)

  test('come from three crops in a light estimate', async () => {
    const { age, gender } = await light(30, 36, 42)
    expect(age.prediction).toBeCloseTo(36)
    expect(age.spread).toBeCloseTo(Math.sqrt(24))
    expect(gender.male).toBeCloseTo(0.6)
  })

  test('come from the mirrored crops too in a full one; the second network gives the confidence', async () => {
    const [one, other] = [first(30, 36, 42, 30, 36, 48), second([20, 40], 0.9)]
    const { age, gender } = await estimateDemographic(
      { first: one.session, second: other.session },
      picture,
      mesh,
    )
    expect(age.prediction).toBeCloseTo(37)
    expect(age.spread).toBeCloseTo(10)
    expect(gender.male).toBeCloseTo(0.7)
    expect([one.fed.length, other.fed.length]).toEqual([6, 1])
  })

  test('have the uncertainty of the measured tables', async () => {
    const { age } = await light(30, 36, 42)
    expect(age.uncertainty).toBe(uncertaintyOf(age.prediction, age.spread, 'light'))
    expect(age.uncertainty * rejectAtYears).toBeCloseTo(
      expectedErrorInYears(age.prediction, age.spread, 'light'),
    )
  })

  test('are never below zero', async () => {
    expect((await light(-4, -4, -4)).age.prediction).toBe(0)
  })
})

describe.each(['light', 'full'] as const)('the expected error of an age, %s', (effort) => {
  test('have an uncertainty that grows with the spread and is never tiny', () => {
    for (const years of [1, 8, 16, 22, 35, 50, 70, 90]) {
      const errors = [0, 1, 2, 4, 8, 16].map((spread) => expectedErrorInYears(years, spread, effort))
      expect(errors).toEqual([...errors].sort((a, b) => a - b))
      expect(errors[0]).toBeGreaterThanOrEqual(2.5)
      expect(errors.at(-1)).toBeLessThan(20)
    }
  })
})

describe('the confidence of a gender', () => {
  test('grows with the certainty, is the same for both, and is lower for children', () => {
    for (const male of [0.5, 0.6, 0.75, 0.9, 1]) {
      const [child, adult] = [genderConfidence(male, 8), genderConfidence(male, 30)]
      expect(genderConfidence(1 - male, 30)).toBeCloseTo(adult)
      expect(adult).toBeGreaterThanOrEqual(child)
      for (const value of [child, adult]) {
        expect(value).toBeGreaterThanOrEqual(0.5)
        expect(value).toBeLessThan(1)
      }
    }
    expect(genderConfidence(1, 8)).toBeGreaterThan(genderConfidence(0.5, 8))
  })
})

describe('a table of bins', () => {
  const bins = [
    { x: 1, y: 10, n: 1 },
    { x: 3, y: 20, n: 1 },
    { x: 4, y: 0, n: 1 },
  ]
  test.each([
    [-5, 10],
    [1, 10],
    [2, 15],
    [3, 20],
    [3.5, 10],
    [9, 0],
  ])('is read at %d as %d', (x, y) => {
    expect(lookUp(bins, x)).toBe(y)
  })
})

describe('expressions', () => {
  test('are named in the order of the network', async () => {
    const shares = [0.1, 0.2, 0.3, 0.05, 0.15, 0.12, 0.08]
    const found = await recogniseExpression(
      answering({ expressions: shares }).session,
      picture,
      mesh,
      'light',
    )
    expect(Object.keys(found)).toEqual(expressionNames)
    expect(found.happy).toBeCloseTo(0.2)
    expect(found.surprised).toBeCloseTo(0.08)
  })

  test('are the mean over crops of three sizes and mirror images of two, all without the forehead', async () => {
    const answers = [0.1, 0.2, 0.3, 0.4, 0.5].map((happy) => ({
      expressions: [1 - happy, happy, 0, 0, 0, 0, 0],
    }))
    const { session, fed } = answering(...answers)
    const ramp = new Picture(drawn(640, 480, (x, y) => [x / 4, y / 4, 0]))
    const found = await recogniseExpression(session, ramp, mesh, 'full')
    expect(found.happy).toBeCloseTo(0.3)
    expect(found.neutral).toBeCloseTo(0.7)
    const redOf = ({ data }: Tensor, x: number) => data[56 * 112 + x]!
    const widths = fed.map((tensor) => redOf(tensor, 111) - redOf(tensor, 0))
    const share = widths.map((width) => width / widths[1]!)
    expect(share).toEqual([0.95, 1, 1.05, -1, -1.15].map((side) => expect.closeTo(side, 1)))
    const box = boundingBox(mesh.points)
    const green = (row: number) => fed[0]!.data[112 * 112 + row * 112 + 56]! * 4
    const middle = (green(55) + green(56)) / 2
    const shift = middle - (box.y + box.height / 2)
    expect(shift / Math.max(box.width, box.height)).toBeCloseTo(0.04, 1)
    expect(shift).toBeGreaterThan(0)
  })
})

describe('eyes', () => {
  test('are analysed one by one, the person’s left first', async () => {
    const { session, fed } = answering({ logits: [2, 0] }, { logits: [-2, 0] })
    const { left, right } = await closedEyes(session, picture, mesh)
    expect(left).toBeCloseTo(0.881, 3)
    expect(right).toBeCloseTo(0.119, 3)
    expect(fed.map(({ dims }) => dims)).toEqual([
      [1, 1, 24, 24],
      [1, 1, 24, 24],
    ])
  })

  test('are open by the ratio of height to width, at any size and tilt', () => {
    const open = eyeOpennessOf(mesh)
    expect(open).toBeGreaterThan(0.15)
    expect(eyeOpennessOf(meshAt({ roll: 30 }, { pixelsPerUnit: 40 }))).toBeCloseTo(open, 4)
  })

  test('are less open when they close', () => {
    const points = Float32Array.from(mesh.points)
    for (const [upper, lower] of [
      [160, 144],
      [158, 153],
      [385, 380],
      [387, 373],
    ] as const) {
      points[3 * upper + 1] = points[3 * lower + 1]!
    }
    expect(eyeOpennessOf({ points, presence: 1 })).toBeLessThan(0.5 * eyeOpennessOf(mesh))
  })
})

describe('a smile', () => {
  const corners = (outwards: number, upwards: number) => {
    const points = Float32Array.from(mesh.points)
    for (const [corner, side] of [
      [61, -1],
      [291, 1],
    ] as const) {
      points[3 * corner] = points[3 * corner]! + side * outwards
      points[3 * corner + 1] = points[3 * corner + 1]! - upwards
    }
    return smileOf({ points, presence: 1 })
  }

  test('is a wider mouth, or corners that rise', () => {
    expect(corners(8, 0)).toBeGreaterThan(smileOf(mesh) + 0.1)
    expect(corners(0, 8)).toBeGreaterThan(smileOf(mesh) + 0.05)
    expect(corners(-8, -4)).toBeLessThan(smileOf(mesh) - 0.1)
  })

  test('does not depend on size and tilt', () => {
    expect(smileOf(meshAt({ roll: -30 }, { pixelsPerUnit: 40 }))).toBeCloseTo(smileOf(mesh), 4)
  })
})
