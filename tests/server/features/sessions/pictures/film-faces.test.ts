import { expect, test } from 'vitest'
import { drawFilmFaces, filmFacesOfRequest } from '#server/features/sessions/pictures/film-faces.ts'

const settings = (challengeType: 'Balanced' | 'Advanced') =>
  ({ verifiers: { liveness: { type: 'Verification', challengeType } } }) as never

test.each([
  ['a page that asks for one action', { settings: settings('Balanced') }, 3],
  ['a page that asks for three actions', { settings: settings('Advanced') }, 2],
  ['a kiosk, which sends its whole visit at once', { settings: settings('Advanced'), kiosk: {} as never }, 8],
])('of the film of a request of %s, %j, %i faces are drawn', (_what, session, faces) => {
  expect(filmFacesOfRequest(session)).toBe(faces)
})

test.each([
  [12, 3, () => 0, [0, 4, 8]],
  [12, 3, (below: number) => below - 1, [3, 7, 11]],
  [7, 3, (below: number) => below - 1, [1, 3, 6]],
  [2, 3, () => 0, [0, 1]],
  [0, 3, () => 0, []],
])('of %i pictures, %i faces are drawn, one of each part', (pictures, faces, draw, drawn) => {
  expect([...drawFilmFaces(pictures, faces, draw)]).toEqual(drawn)
})

test('which ones is left to chance', () => {
  const draws = Array.from({ length: 40 }, () => [...drawFilmFaces(60, 3)].join())
  expect(new Set(draws).size).toBeGreaterThan(20)
})
