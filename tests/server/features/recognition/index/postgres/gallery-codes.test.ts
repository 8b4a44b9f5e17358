import { expect, test } from 'vitest'
import { hammingDistance } from '#server/features/recognition/index/postgres/codes/sign-code.ts'
import { createGalleryCodes } from '#server/features/recognition/index/postgres/gallery-codes.ts'
import type { NearCodes } from '#server/features/recognition/index/postgres/near-rows.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

const random = randomNumbers(11)
const bytes = 64
/** Two out of three numbers have a row, as after deletions. */
const rows = Array.from({ length: 140_000 }, (_, i) => ({
  sequence: 1 + i + (i >> 1),
  code: Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256)),
}))

function asAnswered(some: typeof rows): NearCodes {
  return {
    bytes: Buffer.concat(some.map(({ code }) => code)),
    count: some.length,
    sequenceOf: (i) => some[i]!.sequence,
    codeAt: (i) => i * bytes,
  }
}
const between = (after: number, until: number) =>
  rows.filter(({ sequence }) => sequence > after && sequence <= until)

test('finds the same rows as a scan of every row, within the requested numbers', async () => {
  const held = createGalleryCodes('fr-feature/2')
  const last = rows.at(-1)!.sequence
  for (let until = 0; until < last; until += 30_000) {
    const next = Math.min(last, until + 30_000)
    // A server may return rows in any order.
    held.add(asAnswered(between(until, next).reverse()), next)
    if (next === last) break
  }
  expect(held).toMatchObject({ count: rows.length, until: last })
  for (const [after, until] of [
    [0, last],
    [100_000, last],
    [3, 150_000],
    [last - 1, last],
    [last, last],
  ] as const) {
    const code = rows[90_000]!.code
    const found = await held.near({ code, mostBits: 225, after, until })
    const near = between(after, until).filter((row) => hammingDistance(row.code, code) <= 225)
    expect(Array.from({ length: found.count }, (_, i) => found.sequenceOf(i))).toEqual(
      near.map(({ sequence }) => sequence),
    )
    for (const [i, row] of near.entries())
      expect(found.bytes.subarray(found.codeAt(i), found.codeAt(i) + bytes)).toEqual(Buffer.from(row.code))
  }
}, 30_000)

test('additions during a scan do not disturb it', async () => {
  const held = createGalleryCodes('fr-feature/2')
  const first = rows.slice(0, 70_000)
  const until = first.at(-1)!.sequence
  held.add(asAnswered(first), until)
  const sought = { code: first[69_999]!.code, mostBits: 0, after: 0, until }
  const looking = held.near(sought)
  held.add(asAnswered(between(until, until + 60_000)), until + 60_000)
  expect((await looking).sequenceOf(0)).toBe(until)
})
