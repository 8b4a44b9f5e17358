import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { tilted } from '#lab/bench/acted/camera.ts'
import { actionLimits } from '#models/rules/challenge/action-limits.ts'
import { movementsOf } from '#models/rules/challenge/performed.ts'
import { neutralOf } from '#models/rules/face/neutral-face.ts'
import type { Observation } from '#models/rules/observation.ts'
import { observe } from '#models/rules/observe.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { noon } from '../../../support/drawn/observations.ts'
import { openRealAnalysis } from '../../../support/real-analysis.ts'
import { hasSharedData, needsSharedData, readShared } from '../../../support/shared-data.ts'

const meta = { step: 0, time: 0, receivedAt: noon, reused: 'none', digest: '' } as const
/** Photographs in which the mesh mistakes a sideways glance for a turned head. */
const photographs = ['Vaclav_Havel__Vaclav_Havel_0002.jpg', 'Gian_Marco__Gian_Marco_0001.jpg']
const nearness = 1.2

describe.skipIf(!hasSharedData)(`a photograph that is turned in the hand${needsSharedData}`, () => {
  let analysis: AnalysisService

  beforeAll(async () => {
    analysis = await openRealAnalysis()
  })

  const seen = async (jpeg: Buffer): Promise<Observation> =>
    observe(await analysis.analyse(jpeg, {}, { accountId: '', signal: new AbortController().signal }), meta)

  test.each(photographs)('does not count as a turned head: %s', async (file) => {
    const print = await sharp(readShared('recognition/lfw', file)).resize(480, 480).jpeg().toBuffer()
    const neutral = neutralOf([await seen(print)])!
    const shown: Observation[] = []
    for (const yaw of [-55, -45, 45, 55])
      shown.push(await seen(await tilted(print, { yaw, pitch: 0 }, nearness)))
    const turns = (limit: number) =>
      shown.filter((frame) =>
        [...movementsOf(frame, { ...neutral, breadth: neutral.breadth * limit })].some((name) =>
          name.startsWith('turn'),
        ),
      ).length
    expect(turns(0), 'turns that the mesh reads').toBeGreaterThan(0)
    expect(turns(1), `turns that keep ${actionLimits.breadth} of the head`).toBe(0)
  })
})
