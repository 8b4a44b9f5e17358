import { expect, test } from 'vitest'
import type { Analysis, AnalysisStages } from '#models/rules/analysis.ts'
import { createAnalyseFilm } from '#server/features/sessions/pictures/analyse-film.ts'
import { Problem } from '#shared/problem.ts'
import { noon } from '../../../../support/drawn/observations.ts'
import { seenIn } from '../../../../support/seen.ts'

const live = { accountId: 'a', settings: { verifiers: { liveness: { type: 'Verification' } } } } as never
const pictures = [0, 166, 333].map((time) => ({ bytes: new Uint8Array([time % 256]), time }))

/** Names the signature that it was computed from. */
const sketch = (signature: Float32Array) => `sketch of ${signature.join(' ')}`

/** The film analysis on top of an analysis that returns what it did to each picture. */
function start(answer: (picture: Uint8Array) => Partial<Analysis> | undefined = () => undefined) {
  const asked: AnalysisStages[] = []
  const analysis = {
    parallel: 2,
    analyse: async (picture: Uint8Array, wanted: AnalysisStages) => {
      asked.push(wanted)
      return { ...seenIn({ person: 'anna' }, wanted), ...answer(picture) }
    },
  }
  return { analyse: createAnalyseFilm(analysis as never, { sketch }), asked }
}

test('no network runs but those that find the face, and for three pictures that of its embedding', async () => {
  const { analyse, asked } = start()
  const seen = await analyse.judge(pictures, live, noon)
  const long = Array.from({ length: 30 }, (_, i) => ({ bytes: new Uint8Array([i]), time: i * 166 }))
  asked.length = 0
  const points = await analyse.judge(long, live, noon)
  const drawn = asked.filter(({ embedding }) => embedding === true)
  expect(drawn).toEqual(Array(3).fill({ sceneSignature: true, embedding: true }))
  expect(asked.filter(({ embedding }) => embedding === undefined)).toEqual(
    Array(27).fill({ sceneSignature: true }),
  )
  expect(points).toHaveLength(30)
  expect(seen.map(({ time, receivedAt }) => [time, receivedAt])).toEqual([
    [0, noon],
    [166, noon],
    [333, noon],
  ])
})

test('nothing is analysed if liveness is not checked', async () => {
  const { analyse, asked } = start()
  const passive = { accountId: 'a', settings: { verifiers: { age: { type: 'CalculationOnly' } } } } as never
  expect(await analyse.judge(pictures, passive, noon)).toEqual([])
  expect(asked).toEqual([])
})

test('a picture with a face is recognised by its content, whatever else its file contains', async () => {
  const shows: Record<number, Partial<Analysis>> = {
    0: { sceneSignature: Float32Array.of(1, 2) },
    166: { sceneSignature: Float32Array.of(1, 2) },
    77: { sceneSignature: Float32Array.of(1, 2), face: undefined },
  }
  const { analyse } = start(([first]) => shows[first!])
  const [one, same, nobody] = (await analyse.judge(pictures, live, noon)).map(({ digest }) => digest)
  expect(one).toMatch(/^[\w-]{16}$/)
  expect(same).toBe(one)
  expect(nobody).toBeUndefined()
  const asFiles = (await start().analyse.judge(pictures, live, noon)).map(({ digest }) => digest)
  expect(new Set(asFiles).size).toBe(3)
})

test('a picture with a face has a sketch, by which its film is recognised after re-encoding', async () => {
  const { analyse } = start(([first]) => ({
    sceneSignature: Float32Array.of(1, 2),
    ...(first === 77 && { face: undefined }),
  }))
  const sketches = (await analyse.judge(pictures, live, noon)).map((point) => point.sketch)
  expect(sketches).toEqual(['sketch of 1 2', 'sketch of 1 2', undefined])
})

test('an undecodable picture is pointed at', async () => {
  const { analyse } = start(([first]) => {
    if (first === 166) throw new Problem('unreadable_image', 'No picture.')
    return undefined
  })
  await expect(analyse.judge(pictures, live, noon)).rejects.toMatchObject({
    code: 'unreadable_image',
    errors: [{ pointer: '#/trail/1/bytes' }],
  })
})
