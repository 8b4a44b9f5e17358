import { describe, expect, test } from 'vitest'
import { type DetectorKind, fullRange, shortRange } from '#models/networks/detector.ts'
import type { Session } from '#models/networks/session.ts'
import { Picture } from '#models/picture/picture.ts'
import { isFace, withEyes } from '#models/pipeline/second-look.ts'
import { grey } from '../../support/drawn/frames.ts'

const picture = new Picture(grey(400, 400, () => 90))
const detection = { box: { x: 180, y: 180, width: 40, height: 40 }, confidence: 0.5, keypoints: [] }

/** A detector with this confidence in a face in the middle of a share of its view, and how often it ran. */
function seeing(kind: DetectorKind, confidence: number, share: number) {
  const asked = { times: 0 }
  const count = kind.anchors.length / 2
  const middle = Array.from({ length: count }, (_, i) => i).reduce((best, i) =>
    distance(kind, i) < distance(kind, best) ? i : best,
  )
  const session: Session = {
    run: async () => {
      asked.times++
      const scores = new Float32Array(count).fill(-100)
      const regressors = new Float32Array(count * 16)
      scores[middle] = Math.log(confidence / (1 - confidence))
      regressors.set([0, 0, kind.size * share, kind.size * share], middle * 16)
      return {
        scores: { data: scores, dims: [1, count, 1] },
        regressors: { data: regressors, dims: [1, count, 16] },
      }
    },
  }
  return { session, asked }
}

function distance({ anchors, size }: DetectorKind, i: number): number {
  return Math.hypot(anchors[2 * i]! - size / 2, anchors[2 * i + 1]! - size / 2)
}

interface Found extends Partial<typeof detection> {
  readonly upright?: number
  readonly again?: number
}

function look(near: number, far: number, presence: number, found: Found = {}) {
  const [short, full] = [seeing(shortRange, near, 1 / 4.5), seeing(fullRange, far, 1 / 6)]
  const mesh = { points: new Float32Array(1404), presence }
  const detectors = { near: short.session, far: full.session }
  return {
    isFace: () => isFace(detectors, picture, { ...detection, ...found }, mesh),
    asked: () => [short.asked.times, full.asked.times],
  }
}

describe('a second look', () => {
  test.each([
    ['refused by the mesh, seen again by both', 0.7, 0.6, 0.01, true],
    ['refused by the mesh, seen again by one', 0.9, 0.12, 0.01, false],
    ['taken by the mesh, hardly seen again', 0.2, 0.3, 0.8, false],
    ['taken by the mesh, seen again a little', 0.4, 0.4, 0.8, true],
  ])('at what is %s', async (_name, near, far, presence, expected) => {
    expect(await look(near, far, presence).isFace()).toBe(expected)
  })

  test.each([
    ['refused by the mesh, which that network is sure of', 0.35, 0.35, 0.01, 0.95, true],
    ['refused by the mesh, which that network is less sure of', 0.5, 0.5, 0.01, 0.85, false],
    ['refused by the mesh, which the network of upright faces alone sees', 0.1, 0.1, 0.01, 1, false],
    ['taken by the mesh and the network of upright faces, hardly seen again', 0.2, 0.3, 0.8, 0.95, true],
    ['taken by the mesh, hardly seen by any', 0.3, 0.4, 0.8, 0.5, false],
  ])(
    'counts the network of upright faces as another detector: %s',
    async (_name, near, far, presence, upright, expected) => {
      expect(await look(near, far, presence, { upright }).isFace()).toBe(expected)
    },
  )

  test('of the short-range network is enough for a clear upright face', async () => {
    const { isFace, asked } = look(0, 0, 0.96, { upright: 0.95, again: 0.5 })
    expect(await isFace()).toBe(true)
    expect(asked()).toEqual([0, 0])
  })

  test('of the short-range network is not repeated', async () => {
    const { isFace, asked } = look(1, 0.6, 0.5, { upright: 0.6, again: 0.3 })
    expect(await isFace()).toBe(true)
    expect(asked()).toEqual([0, 2])
  })

  test('is skipped if the mesh is sure', async () => {
    const { isFace, asked } = look(0.1, 0.1, 0.96, { confidence: 0.61 })
    expect(await isFace()).toBe(true)
    expect(asked()).toEqual([0, 0])
  })

  test('stops if the remaining looks cannot be enough', async () => {
    const { isFace, asked } = look(0.9, 0.05, 0.1)
    expect(await isFace()).toBe(false)
    expect(asked()).toEqual([0, 2])
  })

  test('ignores faces that are too small to read', async () => {
    const box = { x: 195, y: 195, width: 11, height: 11 }
    expect(await look(0.9, 0.9, 1, { box, confidence: 0.9 }).isFace()).toBe(false)
  })

  test('does not mistake a neighbouring face for the one that was found', async () => {
    const box = { x: 180, y: 180, width: 40, height: 400 }
    expect(await look(0.9, 0.9, 0.6, { box }).isFace()).toBe(false)
  })
})

describe('a face without eyes', () => {
  const withoutEyes = { ...detection, upright: 0.7 }

  test('gets those that the short-range network finds', async () => {
    const { session } = seeing(shortRange, 0.8, 1 / 4.5)
    const seen = await withEyes(session, picture, withoutEyes)
    expect(seen.keypoints).toHaveLength(6)
    expect(seen).toMatchObject({
      upright: 0.7,
      again: expect.closeTo(0.8, 5),
      confidence: expect.closeTo(0.8, 5),
    })
  })

  test('stays unchanged if that network does not find it', async () => {
    const { session } = seeing(shortRange, 0.05, 1 / 4.5)
    expect(await withEyes(session, picture, withoutEyes)).toEqual({ ...withoutEyes, again: 0 })
  })

  test('is the only one analysed again', async () => {
    const { session, asked } = seeing(shortRange, 0.8, 1 / 4.5)
    const known = {
      ...detection,
      keypoints: [
        { x: 190, y: 195 },
        { x: 210, y: 195 },
      ],
    }
    expect(await withEyes(session, picture, known)).toBe(known)
    expect(asked.times).toBe(0)
  })
})
