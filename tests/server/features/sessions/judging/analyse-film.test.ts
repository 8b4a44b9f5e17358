import { expect, test } from 'vitest'
import type { Analysis, Wanted } from '#models/rules/analysis.ts'
import { createAnalyseFilm } from '#server/features/sessions/judging/analyse-film.ts'
import { Problem } from '#shared/problem.ts'
import { noon } from '../../../../support/drawn/observations.ts'
import { seenIn } from '../../../../support/seen.ts'

const live = {
  sessionId: 's',
  accountId: 'a',
  settings: { verifiers: { liveness: { type: 'Verification' } } },
} as never
const pictures = [0, 166, 333].map((time) => ({ bytes: new Uint8Array([time % 256]), time }))

/** What analyses films, on an analysis that answers with what it does to each picture; and what was asked of the memory, which knows every other one. */
function start(answer: (picture: Uint8Array) => Partial<Analysis> | undefined = () => undefined) {
  const asked: Wanted[] = []
  const lookedUp: number[][] = []
  const memory = {
    known: async ({ sessionId }: { sessionId: string }, contents: readonly Uint8Array[]) => {
      expect(sessionId).toBe('s')
      lookedUp.push(...contents.map((bytes) => [...bytes]))
      return contents.map((_, i) => [true, false, undefined][i % 3])
    },
  }
  const analysis = {
    parallel: 2,
    analyse: async (picture: Uint8Array, wanted: Wanted) => {
      asked.push(wanted)
      return { ...seenIn({ person: 'anna' }, wanted), ...answer(picture) }
    },
  }
  return { analyse: createAnalyseFilm(analysis as never, memory), asked, lookedUp }
}

test('no network runs but those that find the face', async () => {
  const { analyse, asked } = start()
  const seen = await analyse(pictures, live, noon)
  expect(asked).toEqual(Array(3).fill({ sceneSignature: true }))
  expect(seen.map(({ time, receivedAt }) => [time, receivedAt])).toEqual([
    [0, noon],
    [166, noon],
    [333, noon],
  ])
})

test('nothing is looked at where liveness is not checked', async () => {
  const { analyse, asked } = start()
  const passive = { accountId: 'a', settings: { verifiers: { age: { type: 'CalculationOnly' } } } } as never
  expect(await analyse(pictures, passive, noon)).toEqual([])
  expect(asked).toEqual([])
})

test('pictures are looked up in the memory of films, and each says what is known of it', async () => {
  const { analyse, lookedUp } = start()
  const seen = await analyse(pictures, live, noon)
  expect(lookedUp).toEqual([[0], [166], [77]])
  expect(seen.map(({ isKnown }) => isKnown)).toEqual([true, false, undefined])
  expect(seen[2]).not.toHaveProperty('isKnown')
})

test('one without a face is not looked up, and one is known by what it shows', async () => {
  const luminances = Float32Array.of(1, 2)
  const { analyse, lookedUp } = start(([first]) => {
    if (first === 0) return { face: undefined }
    return first === 166 ? { sceneSignature: luminances } : undefined
  })
  const seen = await analyse(pictures, live, noon)
  expect(lookedUp).toEqual([[...new Uint8Array(luminances.buffer)], [77]])
  expect(seen.map(({ isKnown }) => isKnown)).toEqual([undefined, true, false])
})

test('a picture that cannot be decoded is pointed at', async () => {
  const { analyse } = start(([first]) => {
    if (first === 166) throw new Problem('unreadable_image', 'No picture.')
    return undefined
  })
  await expect(analyse(pictures, live, noon)).rejects.toMatchObject({
    code: 'unreadable_image',
    errors: [{ pointer: '#/trail/1/bytes' }],
  })
})
