import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddingLengths } from '#models/rules/embedding.ts'
import { comparedBy, packs } from '#models/rules/packs.ts'
import { cosineOf, scoreOf, wholeScore } from '#models/rules/similarity.ts'
import { joined } from '#models/rules/templates.ts'
import {
  compareFaceEmbeddings,
  conservativeEmbeddingLength,
  detectFaces,
  embeddingLength,
  extendedEmbeddingLength,
  getFaceEmbeddings,
} from '#shared/contract/analysis/face-verification.ts'
import { fakeJpeg } from '../../../support/drawn/fake-picture.ts'
import { randomEmbedding } from '../../../support/drawn/random-face.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { openRealAnalysis } from '../../../support/real-analysis.ts'
import { hasSharedData, needsSharedData, readShared } from '../../../support/shared-data.ts'
import { astronaut, bytesOf } from '../../../support/upload.ts'

let host: Host
let real: Host
beforeAll(async () => {
  host = await startHost()
  real = await startHost({ ports: { analysis: await openRealAnalysis() } })
})
afterAll(() => Promise.all([host.close(), real.close()]))

const detect = (picture: Uint8Array, maxFaceCount = 100) =>
  real.call(detectFaces, { body: { image: bytesOf(picture), maxFaceCount } })

/** Several astronauts side by side, each slightly smaller than the one before. */
async function crowd(sides: readonly number[]): Promise<Buffer> {
  const people = await Promise.all(
    sides.map(async (side, i) => ({
      input: await sharp(astronaut).resize(side).toBuffer(),
      left: sides.slice(0, i).reduce((sum, taken) => sum + taken, 0),
      top: 0,
    })),
  )
  const width = sides.reduce((sum, side) => sum + side, 0)
  return sharp({ create: { width, height: sides[0]!, channels: 3, background: '#777' } })
    .composite(people)
    .jpeg({ quality: 92 })
    .toBuffer()
}

describe('POST /v1/face-verification/detect-faces', () => {
  test('finds the astronaut where she is', async () => {
    const { faces, unprocessedFaceCount } = await detect(astronaut)
    expect(unprocessedFaceCount).toBe(0)
    expect(faces).toHaveLength(1)
    const { confidence, boundingBox } = faces![0]!
    expect(confidence).toBeGreaterThan(0.8)
    for (const value of Object.values(boundingBox)) expect(Number.isInteger(value)).toBe(true)
    expect(boundingBox.x).toBeGreaterThan(140)
    expect(boundingBox.x + boundingBox.width).toBeLessThan(310)
    expect(boundingBox.y).toBeGreaterThan(30)
    expect(boundingBox.y + boundingBox.height).toBeLessThan(230)
  })

  test.each([
    [1, 1, 2],
    [2, 2, 1],
    [3, 3, 0],
    [100, 3, 0],
  ])('with maxFaceCount %d returns the dominant ones of three faces', async (max, count, others) => {
    const { faces, unprocessedFaceCount } = await detect(await crowd([500, 300, 200]), max)
    expect(unprocessedFaceCount).toBe(others)
    const widths = faces!.map(({ boundingBox }) => boundingBox.width)
    expect(widths).toHaveLength(count)
    expect(widths).toEqual([...widths].sort((a, b) => b - a))
  })

  test('finds small faces next to a large one', async () => {
    const { faces } = await detect(await crowd([900, 160, 160, 160, 160]))
    expect(faces).toHaveLength(5)
  })

  test.each([90, 180, 270])('does not fail on faces that are turned by %d degrees', async (angle) => {
    const { faces } = await detect(await sharp(astronaut).rotate(angle).png().toBuffer())
    expect(faces!.length).toBeLessThanOrEqual(1)
  })

  test('applies the EXIF orientation', async () => {
    const sideways = await sharp(astronaut).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const [upright, turned] = [await detect(astronaut), await detect(sideways)]
    for (const side of ['x', 'y', 'width', 'height'] as const) {
      expect(
        Math.abs(turned.faces![0]!.boundingBox[side] - upright.faces![0]!.boundingBox[side]),
      ).toBeLessThan(8)
    }
  })

  test.each([
    [1, 1],
    [3, 700],
    [1200, 2],
  ])('finds no face in an empty picture of %d x %d', async (width, height) => {
    const empty = await sharp({ create: { width, height, channels: 3, background: '#999' } })
      .png()
      .toBuffer()
    expect(await detect(empty)).toEqual({ faces: [], unprocessedFaceCount: 0 })
  })

  test('keeps boxes within the picture', async () => {
    const cut = await sharp(astronaut)
      .extract({ left: 190, top: 60, width: 90, height: 130 })
      .png()
      .toBuffer()
    for (const { boundingBox } of (await detect(cut)).faces!) {
      expect(boundingBox.x).toBeGreaterThanOrEqual(0)
      expect(boundingBox.y).toBeGreaterThanOrEqual(0)
      expect(boundingBox.x + boundingBox.width).toBeLessThanOrEqual(90)
      expect(boundingBox.y + boundingBox.height).toBeLessThanOrEqual(130)
    }
  })

  test.skipIf(!hasSharedData)(
    `finds the 29 people of Solvay 1927, except for a few${needsSharedData}`,
    async () => {
      const { faces } = await detect(readShared('detection', 'public-domain', 'solvay1927.jpg'))
      expect(faces!.length).toBeGreaterThanOrEqual(27)
      expect(faces!.length).toBeLessThanOrEqual(29)
    },
  )
})

describe('POST /v1/face-verification/get-face-embeddings', () => {
  test('returns unit vectors of the length that compare-face-embeddings takes', async () => {
    const { faces } = await real.call(getFaceEmbeddings, { body: { image: bytesOf(astronaut) } })
    const embedding = faces![0]!.embedding!
    expect(embedding).toHaveLength(embeddingLength)
    expect(embeddingLength).toBe(embeddingLengths[packs.standard.embeddingModel])
    expect(conservativeEmbeddingLength).toBe(embeddingLengths[packs.conservative.embeddingModel])
    expect(embedding.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 5)
  })

  test('returns similar embeddings for one person', async () => {
    const embedding = async (picture: Uint8Array) => {
      const { faces } = await real.call(getFaceEmbeddings, { body: { image: bytesOf(picture) } })
      return faces![0]!.embedding!
    }
    const mirrored = await sharp(astronaut).flop().resize(300).jpeg({ quality: 60 }).toBuffer()
    const [embedding1, embedding2] = [await embedding(astronaut), await embedding(mirrored)]
    const { similarity } = await real.call(compareFaceEmbeddings, { body: { embedding1, embedding2 } })
    expect(similarity).toBeGreaterThanOrEqual(90)
    expect(similarity).toBeLessThan(100)
  })

  test.skipIf(!hasSharedData)(`tells two people apart${needsSharedData}`, async () => {
    const image = bytesOf(readShared('detection', 'public-domain', 'two_people.jpg'))
    const { faces } = await real.call(getFaceEmbeddings, { body: { image, maxFaceCount: 2 } })
    const [embedding1, embedding2] = faces!.map(({ embedding }) => embedding!) as [number[], number[]]
    const { similarity } = await real.call(compareFaceEmbeddings, { body: { embedding1, embedding2 } })
    expect(similarity).toBeLessThan(70)
  })

  test('returns no faces for a picture without any', async () => {
    const image = bytesOf(fakeJpeg({ person: null }))
    expect(await host.call(getFaceEmbeddings, { body: { image } })).toEqual({
      faces: [],
      unprocessedFaceCount: 0,
    })
  })
})

describe('POST /v1/face-verification/compare-face-embeddings', () => {
  const axis = (index: number, value = 1) => Array.from({ length: 512 }, (_, i) => (i === index ? value : 0))
  const compare = (embedding1: number[], embedding2: number[]) =>
    host.call(compareFaceEmbeddings, { body: { embedding1, embedding2 } })

  /** A pair that has this cosine. */
  const pairAt = (cosine: number): [number[], number[]] => {
    const other = axis(0, cosine)
    other[1] = Math.sqrt(1 - cosine * cosine)
    return [axis(0), other]
  }

  test.each([
    ['the same twice', axis(3), axis(3), 100],
    ['the same at another length', axis(3, 1e-200), axis(3, 1e200), 100],
    ['nothing in common', axis(3), axis(4), 0],
    ['the opposite', axis(3), axis(3, -1), -1],
  ])('returns %s: %#', async (_name, a, b, similarity) => {
    expect(await compare(a, b)).toEqual({ similarity })
  })

  test.each([70, 80, 90, 95])('reaches %d at its cosine, and not just below', async (score) => {
    const cosine = cosineOf(score)
    expect(await compare(...pairAt(cosine))).toEqual({ similarity: score })
    expect(await compare(...pairAt(cosine - 1e-4))).toEqual({ similarity: score - 1 })
  })

  test.each([
    [69.9, 69],
    [69.9999999, 70],
    [100, 100],
    [-0.4, -1],
  ])('rounds %d down to %d', (score, whole) => {
    expect(wholeScore(score)).toBe(whole)
    expect(scoreOf(cosineOf(score))).toBeCloseTo(score)
  })

  test.each([
    ['too few', axis(0).slice(1)],
    ['as many as another pack has', axis(0).slice(-conservativeEmbeddingLength).fill(1)],
    ['too many', [...axis(0), 0]],
    ['none', []],
    ['only zeros', axis(0, 0)],
    ['words', axis(0).map(String)],
    ['nothing', null],
  ])('refuses an embedding of %s', async (_name, embedding2) => {
    const problem = await compare(axis(0), embedding2 as number[]).catch((error) => error)
    expect(problem.code).toBe('invalid_request')
    for (const { pointer } of problem.errors) expect(pointer).toMatch(/^#\/embedding2(\/|$)/)
  })

  test('refuses numbers that are not finite', async () => {
    const body = `{"embedding1":[${axis(0).join()}],"embedding2":[1e999${',0'.repeat(511)}]}`
    const answer = await host.fetch(compareFaceEmbeddings.path, {
      method: 'POST',
      headers: { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(400)
    expect((await answer.json()).errors[0].pointer).toMatch(/^#\/embedding2/)
  })
})

describe('under the extended pack', () => {
  const pack = packs.extended
  const first = randomEmbedding(1)
  const second = randomEmbedding(2, 128)
  const [alike, other] = [0.45, 0.35].map((cosine, i) => {
    const own = [first, second][i]!
    const stranger = randomEmbedding(3 + i, own.length)
    return own.map((value, k) => cosine * value + Math.sqrt(1 - cosine ** 2) * stranger[k]!)
  }) as [Float32Array, Float32Array]
  let extended: Host
  beforeAll(async () => {
    extended = await startHost({ ports: { pack } })
  })
  afterAll(() => extended.close())

  const compare = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    extended.call(compareFaceEmbeddings, { body: { embedding1: Array.from(a), embedding2: Array.from(b) } })

  test('two joined embeddings are compared by the mean of both cosines, on a separate scale', async () => {
    const [a, b] = [joined({ first, second }), joined({ first: alike, second: other })]
    expect(a).toHaveLength(extendedEmbeddingLength)
    const [x, y] = [alike, other].map((vector, i) => {
      const norm = Math.hypot(...vector)
      return vector.reduce((sum, value, k) => sum + (value / norm) * [first, second][i]![k]!, 0)
    }) as [number, number]
    const { similarity } = await compare(a, b)
    expect(similarity).toBe(wholeScore(scoreOf((x + y) / 2, comparedBy(pack))))
    expect(
      (
        await compare(
          a,
          b.map((value) => 1000 * value),
        )
      ).similarity,
    ).toBe(similarity)
    expect((await compare(a, a)).similarity).toBe(100)
  })

  test('an embedding from the standard pack is compared by the first embedding, as there', async () => {
    const whole = joined({ first, second })
    const { similarity } = await compare(whole, alike)
    expect(similarity).toBe((await compare(first, alike)).similarity)
    expect((await compare(whole, first)).similarity).toBe(100)
  })

  test.each([128, 511, 639])('%i numbers are refused', async (length) => {
    const { status } = await compare(randomEmbedding(1, length), first).catch((problem) => problem)
    expect(status).toBe(400)
  })
})
