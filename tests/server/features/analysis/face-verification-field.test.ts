import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import type { Problem } from '#shared/problem.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { openRealAnalysis } from '../../../support/real-analysis.ts'
import { hasCases, readCase } from '../../../support/shared-data.ts'

/** Pictures from the field, along with the answers that a human observer expects. */
describe.skipIf(!hasCases)('detect-faces', () => {
  let analysis: AnalysisService
  let host: Host
  beforeAll(async () => {
    analysis = await openRealAnalysis()
    host = await startHost({ ports: { analysis } })
  })
  afterAll(() => host?.close())

  const facesIn = async (bytes: Uint8Array) => {
    const image = { bytes: Buffer.from(bytes).toString('base64') }
    return (await host.call(detectFaces, { body: { image } })).faces
  }
  const problemWith = (bytes: Uint8Array): Promise<Problem> =>
    facesIn(bytes).then(
      () => expect.fail('It was taken.'),
      (error) => error,
    )

  test('finds the face of a JPEG without its end marker, and refuses half of it as truncated', async () => {
    const bytes = readCase('jpeg-without-end-marker', 's-noeoi.jpg')
    expect(await facesIn(bytes)).toHaveLength(1)
    const { code, errors } = await problemWith(bytes.subarray(0, bytes.length / 2))
    expect([code, errors[0]!.pointer]).toEqual(['unreadable_image', '#/image/bytes'])
    expect(errors[0]!.message).toContain('truncated')
  })

  test('finds the face of a CMYK JPEG as browsers show it', async () => {
    expect(await facesIn(readCase('cmyk-jpeg-without-adobe-marker', 's-cmyk.jpg'))).toHaveLength(1)
  })

  test('finds the face of a PNG with its orientation after the pixels at its upright position', async () => {
    const faces = await facesIn(readCase('png-orientation-after-pixels', 'exif-after.png'))
    const { x, y, width, height } = faces![0]!.boundingBox
    const measured = [x, y, width, height]
    for (const [i, expected] of [87, 28, 52, 65].entries())
      expect(Math.abs(measured[i]! - expected), String(measured)).toBeLessThanOrEqual(6)
  })

  test('names HEIC, so that the caller knows what to convert', async () => {
    const { code, errors } = await problemWith(readCase('heic-is-named', 's.heic'))
    expect(code).toBe('unreadable_image')
    expect(errors).toEqual([
      { pointer: '#/image/bytes', message: 'Must be a JPEG or PNG picture; this is HEIC.' },
    ])
  })
})
