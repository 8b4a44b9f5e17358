import { describe, expect, test } from 'vitest'
import type { AnalysisStages } from '#models/rules/analysis.ts'
import type { Observation } from '#models/rules/observation.ts'
import { createAnalyseFrames } from '#server/features/sessions/pictures/analyse-frames.ts'
import type { PictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import type { Scene } from '../../../../support/drawn/fake-picture.ts'
import { frameOf, noon } from '../../../../support/drawn/observations.ts'
import { seenIn } from '../../../../support/seen.ts'

/** Which analysis is requested for each picture, given pictures that show these scenes. */
interface Asked {
  readonly picture: number
  readonly wanted: AnalysisStages
}

const verifiers = { age: { type: 'CalculationOnly' }, faceRecognition: { type: 'CalculationOnly' } }

/** Analyses pictures of these scenes, each at its step. Other people in view are only visible to a group analysis. */
async function watchThem(
  shown: readonly { step: number; scene: Scene; inGroup?: number }[],
  observations: readonly Pick<Observation, 'inView'>[] = [],
) {
  const asked: Asked[] = []
  const analysis = {
    parallel: 1,
    analyse: async ([picture]: Uint8Array, wanted: AnalysisStages) => {
      asked.push({ picture: picture!, wanted })
      const { scene, inGroup = 1 } = shown[picture!]!
      return seenIn(wanted.group ? { person: 'anna', others: inGroup - 1 } : scene, wanted)
    },
  }
  const analyse = createAnalyseFrames(analysis as never, {} as PictureMemory, [])
  const pictures = shown.map(({ step }, i) => ({ bytes: Uint8Array.of(i), time: 0, step }))
  const seen = await analyse.judge(
    pictures,
    { settings: { verifiers }, observations, progress } as never,
    noon,
  )
  return { asked, seen }
}

const progress = { open: null }
const anna: Scene = { person: 'anna' }

test('age and gender are estimated in the frames at rest, everything else in all of them', async () => {
  const { asked } = await watchThem([0, 0, 1, 2].map((step) => ({ step, scene: anna })))
  const moving = { embedding: true, eyes: false, sceneSignature: false, surface: false }
  const wanted = { ...moving, demographic: 'full' }
  const looks = asked.filter(({ wanted: { group } }) => !group).map((one) => one.wanted)
  expect(looks).toEqual([wanted, wanted, moving, moving])
})

test('a picture is recognised by its content, whatever else its file contains', async () => {
  const liveness = { liveness: { type: 'Verification' } }
  const shows: Record<number, Float32Array | undefined> = {
    1: Float32Array.of(7, 8),
    2: Float32Array.of(7, 8),
    3: Float32Array.of(7, 8.001),
  }
  const analysis = {
    parallel: 1,
    analyse: async ([first]: Uint8Array, wanted: AnalysisStages) => ({
      ...seenIn(anna, wanted),
      sceneSignature: shows[first!],
    }),
  }
  const analyse = createAnalyseFrames(analysis as never, { findReuse: async () => 'none' as const }, [])
  const pictures = [1, 2, 3, 4, 5, 4].map((first) => ({ bytes: Uint8Array.of(first), time: 0, step: 0 }))
  const seen = await analyse.judge(
    pictures,
    { settings: { verifiers: liveness }, observations: [], progress } as never,
    noon,
  )
  const digests = seen.map(({ digest }) => digest)
  expect(digests.map((digest) => digests.indexOf(digest))).toEqual([0, 0, 2, 3, 4, 3])
})

describe('the number of people in view', () => {
  const groupLooks = (asked: readonly Asked[]) => asked.filter(({ wanted }) => wanted.group)

  test('is counted in one picture, the one with the most faces at first', async () => {
    const { asked, seen } = await watchThem([
      { step: 0, scene: anna },
      { step: 0, scene: { person: 'anna', others: 1 }, inGroup: 4 },
      { step: 0, scene: anna },
    ])
    expect(groupLooks(asked)).toEqual([{ picture: 1, wanted: { group: true } }])
    expect(seen.map(({ inView }) => inView)).toEqual([undefined, 4, undefined])
  })

  test('is counted if no face was found at first', async () => {
    const { seen } = await watchThem([{ step: 0, scene: { person: null }, inGroup: 6 }])
    expect(seen).toMatchObject([{ face: null, faceCount: 0, inView: 6 }])
  })

  test.each([
    ['no more where a picture of the visit showed somebody', [{ inView: 1 }, {}], 0],
    ['again where none showed anybody', [{ inView: 0 }, {}], 1],
  ])('is determined %s', async (_what, before, looks) => {
    const { asked } = await watchThem([{ step: 1, scene: anna }], before)
    expect(groupLooks(asked)).toHaveLength(looks)
  })

  test('is not determined without pictures', async () => {
    expect(await watchThem([])).toEqual({ asked: [], seen: [] })
  })
})

test('a turn is not compared with a straight picture of the action that it replaced', async () => {
  const findingOf = (yaw: number, receivedAt: number) => {
    const pose = { yaw, pitch: 0, roll: 0 }
    const observation = frameOf({ step: 1, receivedAt, face: { yaw } })
    return { observation, sight: { surface: {}, landmarks: [], pose }, fullness: 1 }
  }
  const analyse = createAnalyseFrames({ parallel: 1 } as never, {} as PictureMemory, [])
  const findings = [findingOf(0, noon), findingOf(40, noon + 2000)] as never[]
  const turnsIn = async (exchangedAt?: number) => {
    const session = { settings: {}, observations: [], progress: { open: { step: 1, exchangedAt } } } as never
    const seen = await analyse.judge([], session, noon + 2000, findings)
    return seen.map(({ turned }) => turned?.degrees)
  }
  expect(await turnsIn()).toEqual([undefined, 40])
  expect(await turnsIn(noon + 1000)).toEqual([undefined, undefined])
})
