import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pointCount } from '#shared/contract/analysis/emotion-attention.ts'
import { getQuality } from '#shared/contract/analysis/face-quality.ts'
import { qualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { openRealAnalysis } from '../../../support/real-analysis.ts'
import { astronaut, bytesOf } from '../../../support/upload.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ ports: { analysis: await openRealAnalysis() } })
})
afterAll(() => host.close())

const qualityIn = (picture: Uint8Array, maxFaceCount?: number) =>
  host.call(getQuality, {
    body: { image: bytesOf(picture), ...(maxFaceCount !== undefined && { maxFaceCount }) },
  })

const send = (body: unknown) =>
  host.fetch(getQuality.path, {
    method: 'POST',
    headers: { Authorization: `ApiKey ${host.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The astronaut, with a blurred copy of half the size to her right. */
async function pair(): Promise<Buffer> {
  const second = await sharp(astronaut).resize(256).blur(2).toBuffer()
  return sharp({ create: { width: 800, height: 512, channels: 3, background: '#777' } })
    .composite([
      { input: astronaut, left: 0, top: 0 },
      { input: second, left: 520, top: 0 },
    ])
    .jpeg({ quality: 92 })
    .toBuffer()
}

describe('POST /v1/face-verification/get-quality', () => {
  test('returns the quality, pose and landmarks of the astronaut', async () => {
    const { faces, unprocessedFaceCount } = await qualityIn(astronaut)
    expect(unprocessedFaceCount).toBe(0)
    expect(faces).toHaveLength(1)
    const { face, quality, pose, landmarks2D } = faces[0]!
    expect(quality.unifiedScore).toBeGreaterThan(50)
    expect(Object.keys(quality.components).sort()).toEqual([...qualityComponents].sort())
    expect(quality.components.sharpness).toBeGreaterThan(80)
    expect(quality.components.noHeadCoverings).toBeNull()
    for (const angle of [pose.yaw, pose.pitch, pose.roll]) expect(Math.abs(angle)).toBeLessThan(15)
    expect(landmarks2D).toHaveLength(pointCount)
    const { x, y, width, height } = face.boundingBox
    for (const point of landmarks2D) {
      expect(point.x).toBeGreaterThan(x - 0.1 * width)
      expect(point.x).toBeLessThan(x + 1.1 * width)
      expect(point.y).toBeGreaterThan(y - 0.1 * height)
      expect(point.y).toBeLessThan(y + 1.1 * height)
    }
  })

  test('analyses one face by default, and counts the others', async () => {
    const { faces, unprocessedFaceCount } = await qualityIn(await pair())
    expect([faces.length, unprocessedFaceCount]).toEqual([1, 1])
  })

  test('returns the most certain face first, and rates the blurred one lower', async () => {
    const { faces } = await qualityIn(await pair(), 100)
    expect(faces).toHaveLength(2)
    expect(faces[0]!.face.confidence).toBeGreaterThanOrEqual(faces[1]!.face.confidence)
    const [large, small] = [...faces].sort((a, b) => b.face.boundingBox.width - a.face.boundingBox.width)
    expect(small!.quality.unifiedScore).toBeLessThan(large!.quality.unifiedScore)
    expect(small!.quality.components.sharpness).toBeLessThan(large!.quality.components.sharpness!)
    expect(large!.quality.components.singleFacePresent).toBeLessThan(100)
  })

  test('returns an empty array if there is no face', async () => {
    const blank = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#777' } })
      .png()
      .toBuffer()
    expect(await qualityIn(blank, 5)).toEqual({ faces: [], unprocessedFaceCount: 0 })
  })

  test.each([
    [0, 400],
    [1, 200],
    [100, 200],
    [101, 400],
    [1.5, 400],
  ])('returns %d faces of a maxFaceCount of %d', async (maxFaceCount, status) => {
    const response = await send({ image: bytesOf(astronaut), maxFaceCount })
    expect(response.status).toBe(status)
  })

  test('refuses an unknown name, and suggests the nearest', async () => {
    const response = await send({ image: bytesOf(astronaut), maxFaces: 2 })
    expect(response.status).toBe(400)
    const { code, errors } = (await response.json()) as { code: string; errors: { pointer: string }[] }
    expect([code, errors[0]!.pointer]).toEqual(['unknown_name', '#/maxFaces'])
  })
})
