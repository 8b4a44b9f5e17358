import { expect, test } from 'vitest'
import { shownFor } from '#web/console/sessions/evidence/film.ts'

test('a film plays at its original pace: each picture until the next one, and never longer than a second', () => {
  const film = [0, 350, 650, 9000].map((time) => ({ time, bytes: '' }))
  expect(film.map((_, at) => shownFor(film, at))).toEqual([350, 300, 1000, 340])
})
