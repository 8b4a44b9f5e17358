import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { verdict } from '#models/rules/verdict.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { rulesOf } from '#server/features/sessions/access/session-rules.ts'
import { createAnalyseFrames } from '#server/features/sessions/pictures/analyse-frames.ts'
import { some } from '../../../../../e2e/support/length.ts'
import { noon } from '../../../../support/drawn/observations.ts'
import { openRealAnalysis } from '../../../../support/real-analysis.ts'
import { hasSharedData, needsSharedData, readShared, readTable } from '../../../../support/shared-data.ts'

const request = { accountId: 'account', signal: new AbortController().signal }
const settings = { verifiers: { commonSettings: { failOnMultipleFacesDetected: true } } }
let analysis: AnalysisService

beforeAll(async () => {
  analysis = await openRealAnalysis()
})

/** The number of faces in a session with just this picture, and the number that `detect` finds. */
async function countsOf(picture: Uint8Array) {
  const analyse = createAnalyseFrames(analysis, { findReuse: async () => 'none' as const }, [])
  const pictures = [{ bytes: picture, time: 0, step: 0 }]
  const observations = await analyse.judge(
    pictures,
    { settings, observations: [], progress: { open: null } } as never,
    noon,
  )
  const { totalFaceCount, reasons } = verdict({
    rules: rulesOf(settings as never),
    steps: [],
    observations,
  })
  const { faces, others } = await analysis.analyse(picture, { group: true, faces: 10 }, request)
  return { totalFaceCount, detected: faces.length + others.length, reasons }
}

const photograph = readFileSync('tests/support/pictures/astronaut.png')

/** The photographed face on a grey wall in the given sizes and positions, in pixels. */
async function collage(places: readonly (readonly [side: number, x: number, y: number])[]) {
  const pieces = places.map(async ([side, left, top]) => ({
    input: await sharp(photograph)
      .extract({ left: 125, top: 0, width: 200, height: 200 })
      .resize(side)
      .toBuffer(),
    left,
    top,
  }))
  const wall = { width: 640, height: 480, channels: 3, background: '#999' } as const
  return sharp({ create: wall })
    .composite(await Promise.all(pieces))
    .jpeg({ quality: 95 })
    .toBuffer()
}

describe('faces are counted as detect counts them', () => {
  const small = [
    [70, 20, 20],
    [70, 540, 30],
    [70, 30, 380],
    [70, 540, 380],
  ] as const

  test('four small ones behind a near one', async () => {
    expect(await countsOf(await collage([[260, 190, 120], ...small]))).toMatchObject({
      totalFaceCount: 5,
      detected: 5,
      reasons: [],
    })
  })

  test('small ones alone', async () => {
    const { totalFaceCount, detected } = await countsOf(await collage([...small, [70, 290, 30]]))
    expect([totalFaceCount, detected]).toEqual([5, 5])
  })
})

describe.skipIf(!hasSharedData)(`faces of groups${needsSharedData}`, () => {
  test('are counted as detect counts them', { timeout: 120_000 }, async () => {
    const boxes = readTable('detection/cmu-mit/labels.csv').map(({ file }) => file!)
    const groups = [...new Set(boxes)].filter((file) => boxes.filter((one) => one === file).length > 2)
    expect(groups.length).toBeGreaterThan(5)
    for (const file of some(groups, 5)) {
      const { totalFaceCount, detected } = await countsOf(readShared('detection/cmu-mit', file))
      expect(totalFaceCount, file).toBe(detected)
    }
  })
})
