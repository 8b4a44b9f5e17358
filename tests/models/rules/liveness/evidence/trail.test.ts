import { describe, expect, test } from 'vitest'
import type { Analysis } from '#models/rules/analysis.ts'
import {
  type FilmDensity,
  filmLimits,
  isTrailComplete,
  leastFilm,
  trailPointOf,
} from '#models/rules/liveness/evidence/trail.ts'
import { type Drawn, filmOf, pointAt } from '../../../../support/drawn/film.ts'
import { noon } from '../../../../support/drawn/observations.ts'
import { seenIn } from '../../../../support/seen.ts'

/** A visit with two requests: frames from 1 to 2 s and from 4 to 5 s of camera time. */
const steps = [{ revealedAt: noon, answeredAt: noon + 2500 }]
const frame = (time: number, receivedAt: number) => ({ time, receivedAt })
const observations = [
  frame(1000, noon + 2500),
  frame(2000, noon + 2500),
  frame(4000, noon + 5500),
  frame(5000, noon + 5500),
]
const visit = { steps, observations }

/** Film pictures at these times, each with the request that sent it. */
const film = (first: readonly number[], last: readonly number[]) => [
  ...first.map((time) => pointAt(time, {}, noon + 2500)),
  ...last.map((time) => pointAt(time, {}, noon + 5500)),
]
const every = (gap: number, from: number, to: number) =>
  Array.from({ length: Math.floor((to - from) / gap) + 1 }, (_, i) => from + i * gap)

describe('a film is complete', () => {
  test.each([
    ['with six pictures a second', film(every(166, 1000, 2000), every(166, 2500, 5000))],
    ['with three, as a slow phone has them', film(every(333, 1000, 2100), every(333, 4000, 5100))],
    ['with a pause between two requests', film(every(166, 900, 2000), every(166, 3900, 5100))],
    ['with a camera that began anew', film(every(166, 8000, 9200), every(166, 3900, 5100))],
    [
      'with a pause of a second',
      film(every(166, 1000, 2000), [...every(125, 4000, 4250), ...every(125, 5250, 5500)]),
    ],
  ])('%s', (name, trail) => {
    const shifted = name.includes('began anew')
    const frames = observations.map((one) =>
      shifted && one.receivedAt === noon + 2500 ? { ...one, time: one.time + 7000 } : one,
    )
    expect(isTrailComplete(trail, { steps, observations: frames })).toBe(true)
  })

  test.each([
    ['without a picture', []],
    ['without one of its requests', film(every(166, 1000, 2000), [])],
    ['that begins too late', film(every(166, 1501, 2200), every(166, 4000, 5000))],
    ['that ends too early', film(every(166, 1000, 2000), every(166, 3600, 4499))],
    ['with a longer gap', film(every(166, 1000, 2000), [4000, 4100, 4200, 5201, 5301, 5401])],
    ['with two pictures a second', film(every(500, 1000, 2000), every(500, 3500, 5500))],
  ])('but not one %s', (_name, trail) => {
    expect(isTrailComplete(trail, visit)).toBe(false)
  })

  test('with what was filmed while the first request waited for a network', () => {
    const [late, last] = [noon + 22_500, noon + 24_000]
    const waited = {
      steps: [{ revealedAt: noon, answeredAt: late }],
      observations: [frame(1000, late), frame(2000, late), frame(23_000, last), frame(24_000, last)],
    }
    const filmed = [
      ...every(166, 1000, 2000).map((time) => pointAt(time, {}, late)),
      ...every(166, 2100, 24_000).map((time) => pointAt(time, {}, last)),
    ]
    expect(isTrailComplete(filmed, waited)).toBe(true)
  })

  describe('with a pause of a minute in a step that was begun again', () => {
    const [early, late] = [noon + 2500, noon + 66_000]
    const paused = {
      steps: [{ revealedAt: noon + 62_000, answeredAt: late }],
      observations: [frame(2000, early), frame(64_000, late), frame(65_000, late)],
    }
    const before = every(166, 1000, 2200).map((time) => pointAt(time, {}, early))
    const after = every(166, 63_500, 65_500).map((time) => pointAt(time, {}, late))
    const session = { ...paused, steps: [{ revealedAt: noon, answeredAt: noon }, ...paused.steps] }

    test.each([filmLimits, leastFilm])('%j', (density) => {
      expect(isTrailComplete([...before, ...after], session, density)).toBe(true)
    })

    test.each([
      ['of what was handed in before it', after],
      ['of what came after it', before],
    ])('but not without the film %s', (_what, trail) => {
      expect(isTrailComplete(trail, session)).toBe(false)
      expect(isTrailComplete(trail, session, leastFilm)).toBe(false)
    })
  })

  test('but not one that took longer than the session was open', () => {
    const trail = film(every(166, 1000, 2000), every(166, 5000 - 4600, 5000))
    expect(isTrailComplete(trail, visit)).toBe(true)
    const short = { ...visit, steps: [{ revealedAt: noon + 3100, answeredAt: noon + 2500 }] }
    expect(isTrailComplete(trail, short)).toBe(false)
  })

  test('but not without a submission', () => {
    expect(isTrailComplete(filmOf([{}, {}]), { steps, observations: [] })).toBe(false)
  })
})

describe('a film meets the requirement', () => {
  const isEnough = (trail: ReturnType<typeof film>) => isTrailComplete(trail, visit, leastFilm)

  test.each([
    ['with a picture a second', film(every(1000, 1000, 2000), every(1000, 4000, 5000))],
    ['with one beside every frame, a second and a half away at most', film([500], [5500])],
    ['with a worker that had to begin anew between two frames', film([1000, 2000], [4000, 5000])],
  ])('%s', (_name, trail) => {
    expect(isEnough(trail)).toBe(true)
  })

  test.each([
    ['without a picture', []],
    ['without one of its requests', film(every(166, 1000, 2000), [])],
    ['that begins too late', film(every(166, 2501, 3500), every(166, 4000, 5000))],
    ['that ends too early', film(every(166, 1000, 2000), every(166, 3000, 3499))],
  ])('but not one %s', (_name, trail) => {
    expect(isEnough(trail)).toBe(false)
  })

  test('but not if it leaves a frame uncovered in the middle, or has fewer than one picture in two seconds', () => {
    const frames = [1000, 4000, 12_000].map((time) => frame(time, noon + 12_500))
    const of = (times: readonly number[]) => times.map((time) => pointAt(time, {}, noon + 12_500))
    const shot = { steps: [{ revealedAt: noon, answeredAt: noon + 12_500 }], observations: frames }
    const judged = (times: readonly number[]) => isTrailComplete(of(times), shot, leastFilm)
    expect(judged([1000, 1200, 1400, 4000, 11_900, 12_000, 12_100])).toBe(true)
    expect(judged([1000, 1200, 1400, 11_900, 12_000, 12_100])).toBe(false)
    expect(judged([1000, 1200, 4000, 12_000])).toBe(false)
  })
})

describe('a film shows a person', () => {
  const drawnAs = (drawn: (i: number) => Drawn) =>
    film(every(166, 1000, 2000), every(166, 2500, 5000)).map(({ time, receivedAt }, i) =>
      pointAt(time, drawn(i), receivedAt),
    )
  const judged = (drawn: (i: number) => Drawn, density?: FilmDensity) =>
    isTrailComplete(drawnAs(drawn), visit, density)

  test.each<[string, (i: number) => Drawn]>([
    ['whose face is lost now and then', (i) => ({ faceless: i % 2 === 1 })],
    ['before a camera that hangs for a while', (i) => ({ still: i % 3 !== 0 })],
  ])('%s', (_name, drawn) => {
    expect(judged(drawn)).toBe(true)
    expect(judged(drawn, leastFilm)).toBe(true)
  })

  test.each<[string, (i: number) => Drawn]>([
    ['that is dark', () => ({ faceless: true, luminance: 2 })],
    ['that mostly shows nobody', (i) => ({ faceless: i % 3 !== 0 })],
    ['that is one picture over and over', () => ({ still: true })],
    ['that is two pictures in turn', (i) => ({ still: true, yaw: i % 2 })],
  ])('but not one %s', (_name, drawn) => {
    expect(judged(drawn)).toBe(false)
    expect(judged(drawn, leastFilm)).toBe(false)
  })

  test('except that pictures without a face do not count', () => {
    const away = every(166, 2600, 3400).map((time) => pointAt(time, { faceless: true }, noon + 5500))
    const there = film(every(166, 1000, 2000), every(166, 4000, 5000))
    const both = [...there, ...away, ...away.map((point) => ({ ...point, time: point.time + 1 }))]
    expect(isTrailComplete(both, visit)).toBe(true)
  })
})

describe('an earlier film', () => {
  const whole = film(every(166, 1000, 2000), every(166, 2500, 5000))
  const knowing = (known: readonly (boolean | undefined)[]) =>
    whole.map((point, i) => (known[i] === undefined ? point : { ...point, isKnown: known[i] }))

  test.each([
    ['of which nothing is known', [false, false, false], true],
    ['of which a few pictures are known', [true, false, false], true],
    ['of which half of those that were looked up are known', [true, undefined, false], false],
    ['of which all of them are', [undefined, true, true, true], false],
    ['of which the only one that was looked up is', [undefined, true], false],
  ] as const)('%s (%j) counts: %j', (_name, known, expected) => {
    expect(isTrailComplete(knowing(known), visit)).toBe(expected)
    expect(isTrailComplete(knowing(known), visit, leastFilm)).toBe(expected)
  })
})

/** The analysis of a picture. Its face may or may not have been drawn for a comparison. */
function withEmbedding(embedding: Float32Array | undefined, width?: number): Analysis {
  const analysis = seenIn({ person: 'anna', yaw: 12.34 }, {})
  const { embedding: _, ...face } = analysis.face!
  const box = { ...face.box, ...(width !== undefined && { width }) }
  return { ...analysis, face: { ...face, box, ...(embedding && { embedding }) } }
}

describe('a picture of the film', () => {
  test('is stored as numbers: position of the head in shares, pose, surroundings', () => {
    const analysis = {
      ...withEmbedding(undefined),
      sceneSignature: new Float32Array(1024).fill(99.6),
    }
    const point = trailPointOf(analysis, { time: 7, receivedAt: noon })
    expect(point).toEqual({
      time: 7,
      receivedAt: noon,
      luminance: 120,
      face: {
        box: { x: 0.1569, y: 0.1679, width: 0.3128, height: 0.5 },
        pose: { yaw: 12.3, pitch: 0, roll: 0 },
      },
      place: Array(46).fill(100),
    })
  })

  test.each([
    ['has its embedding in three decimals if it was drawn', 16, [0.123, -0.988]],
    ['has none if its face is too small', 15.9, undefined],
  ])('%s', (_what, width, embedding) => {
    const drawn = withEmbedding(Float32Array.of(0.1234, -0.9876), width)
    expect(trailPointOf(drawn, { time: 7, receivedAt: noon }).face?.embedding).toEqual(embedding)
  })

  test('may be without a face', () => {
    expect(trailPointOf(seenIn({ person: null }, {}), { time: 0, receivedAt: 0 }).face).toBeNull()
  })
})
