import { expect, test } from 'vitest'
import { actionsIn, filmOf, indicesOf, plainly } from '#lab/attacks/instruments/filmed.ts'
import { type Footage, restIn, type Shot } from '#lab/attacks/people/footage.ts'

function shot(yaw: number, clip = 'one'): Shot {
  const look = { yaw, pitch: 1, size: 0.4, smile: 0.5, happy: 0.1, eyeOpenness: 0.3, faceWidth: 200 }
  return { read: async () => Buffer.alloc(0), clip, look }
}

const yaws = [...Array(12).fill(0), 5, 12, 20, 28, 30, 22, 12, 4, ...Array(6).fill(0)]
const clip: Footage = {
  name: 'somebody',
  shots: [shot(0, 'before'), ...yaws.map((yaw) => shot(yaw)), shot(0, 'after')],
}
const places = Array.from({ length: 11 }, (_, i) => i / 10)

test('the film of an action plays the clip in sequence: straight, to the peak, and on from there', () => {
  const film = filmOf(clip, restIn(clip)!, 'turnLeft', places)
  const seen = film.map((index) => clip.shots[index]!.look!.yaw)
  expect(seen[0]).toBe(0)
  expect(Math.max(...seen)).toBe(30)
  expect(film.every((index, i) => i === 0 || index >= film[i - 1]!)).toBe(true)
  expect(film.every((index) => clip.shots[index]!.clip === 'one')).toBe(true)
})

test('the film of a straight look is one continuous part of the clip', () => {
  const film = filmOf(clip, restIn(clip)!, 'start', places)
  expect(film.every((index) => clip.shots[index]!.look!.yaw === 0)).toBe(true)
  expect(film.every((index, i) => i === 0 || index >= film[i - 1]!)).toBe(true)
})

test('the pictures of a turn begin with a straight look, as the page sends them, however fast the turn is', () => {
  const quick: Footage = { name: 'somebody', shots: [...Array(12).fill(0), 30, 0].map((yaw) => shot(yaw)) }
  const turns = indicesOf(quick, restIn(quick)!, plainly, 'turnLeft', 4, () => 0)
  expect(turns.map((index) => quick.shots[index]!.look!.yaw)).toEqual([0, 0, 30, 30])
  const straight = indicesOf(quick, restIn(quick)!, plainly, 'start', 4, () => 0)
  expect(new Set(straight.map((index) => quick.shots[index]!.look!.yaw))).toEqual(new Set([0]))
})

test('a turn at the very beginning of a clip cannot be requested', () => {
  const begun = [28, 30, 22, 12, 4, ...Array(12).fill(0)]
  const footage = (...shown: number[]): Footage => ({
    name: 'somebody',
    shots: shown.map((yaw) => shot(yaw)),
  })
  expect(actionsIn(footage(...begun), ['turnLeft'])).toEqual([])
  expect(actionsIn(footage(...Array(12).fill(0), ...begun), ['turnLeft'])).toEqual(['turnLeft'])
})
