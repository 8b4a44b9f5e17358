import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRoom, type Need } from '#workers/web/engine/room.ts'

const need = (output: string, bytes: number, inputs: string[], scratch = 0): Need => ({
  output,
  bytes,
  inputs,
  scratch,
})

test('a value that nobody reads any more makes room for another', () => {
  const { bytes, places } = findRoom(
    [need('a', 640, []), need('b', 640, ['a']), need('c', 640, ['b']), need('d', 640, ['c'])],
    new Set(['d']),
  )
  expect(places.get('c')).toBe(places.get('a'))
  expect(bytes).toBe(2 * 640)
})

test('a result is never overwritten', () => {
  const { places } = findRoom(
    [need('a', 64, []), need('b', 64, ['a']), need('c', 64, ['b'])],
    new Set(['a', 'c']),
  )
  expect(new Set(places.values()).size).toBe(3)
})

test('no step writes where something lies that it or a later one reads', () => {
  const drawn = fc.array(
    fc.record({
      bytes: fc.integer({ min: 1, max: 900 }),
      scratch: fc.integer({ min: 0, max: 500 }),
      from: fc.array(fc.nat(20), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 25 },
  )
  fc.assert(
    fc.property(drawn, (steps) => {
      const needs = steps.map(({ bytes, scratch, from }, at) =>
        need(`${at}`, bytes, from.filter((one) => one < at).map(String), scratch),
      )
      const result = `${needs.length - 1}`
      const room = findRoom(needs, new Set([result]))
      const lastUse = (name: string) =>
        Math.max(Number(name), ...needs.flatMap(({ inputs }, at) => (inputs.includes(name) ? [at] : [])))
      const stretches = needs.flatMap(({ output, bytes, scratch }, at) => {
        const start = room.places.get(output)!
        const own = {
          first: at,
          last: output === result ? needs.length : lastUse(output),
          start,
          end: start + bytes,
        }
        const more = room.scratch.get(output)
        return more === undefined ? [own] : [own, { first: at, last: at, start: more, end: more + scratch }]
      })
      for (const [i, a] of stretches.entries()) {
        expect(a.end).toBeLessThanOrEqual(room.bytes)
        for (const b of stretches.slice(i + 1)) {
          const together = a.first <= b.last && b.first <= a.last
          if (together) expect(a.end <= b.start || b.end <= a.start).toBe(true)
        }
      }
    }),
  )
})
