import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { compileKernel } from '#lab/kernel/compile-kernel.ts'
import { mirrorImage } from '#models/networks/mirror-image.ts'
import { blur } from '#models/picture/blur.ts'
import type { Feed } from '#models/picture/feed.ts'
import { type RgbaFrame, rgbaOf } from '#models/picture/frame.ts'
import type { Affine } from '#models/picture/geometry.ts'
import { kernelThatHolds, openPictureKernel } from '#models/picture/kernel/open-kernel.ts'
import { Picture } from '#models/picture/picture.ts'
import { kernelMemory, mostPixelsInKernel, scriptMemory } from '#models/picture/picture-memory.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { drawn } from '../../../support/drawn/frames.ts'

const random = randomNumbers(7)
const speckled = (width: number, height: number): RgbaFrame =>
  drawn(width, height, () => [256 * random(), 256 * random(), 256 * random()])

/** A byte hides at most half of a grey level out of 255. The kernel may be off by a fiftieth of that level. */
const closeBy = 0.01

function worst(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length)
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)
}

test('the compiled kernel matches its source', async () => {
  const compiled = await readFile('models/picture/kernel/compiled-kernel.ts', 'utf8')
  expect(compiled).toBe(await compileKernel('models/picture/kernel'))
})

describe('a crop by the kernel equals that of the script', () => {
  const frame = speckled(97, 61)
  const inKernel = new Picture(frame, kernelMemory())
  const inScript = new Picture(frame, scriptMemory())
  const feed = (size: number, channels: Feed['channels']): Feed => ({ size, channels, scale: 1, offset: -3 })

  const maps: readonly (readonly [string, Affine])[] = [
    ['straight, inside', [0.9, 0, 8.3, 0, 0.9, 5.1]],
    ['turned', [0.7, -0.4, 40.2, 0.4, 0.7, 3.7]],
    ['mirrored', [-0.9, 0, 90.6, 0, 0.9, 4.2]],
    ['upside down', [-0.8, 0.1, 85, -0.1, -0.8, 58]],
    ['a quarter turned', [0, 0.8, 10.5, 0.8, 0, 6.5]],
    ['over every edge', [2.2, 0.3, -20.013, -0.3, 1.9, -15.027]],
    ['from edge to edge', [96 / 45, 0, 0.5, 0, 60 / 45, 0.5]],
    ['of a smaller copy', [4.3, 0.6, -30.017, -0.6, 4.3, -40.029]],
    ['enlarged', [0.11, 0.02, 30.3, -0.02, 0.11, 20.8]],
    ['wholly outside', [1, 0, 300, 0, 1, 0]],
    ['of one column', [0, 0, 20.25, 0, 1, 2]],
  ]

  test.each(maps)('%s', (_, map) => {
    for (const size of [3, 4, 45, 64]) {
      for (const channels of ['RGB', 'BGR', 'grey'] as const) {
        const [a, b] = [inKernel, inScript].map((picture) => picture.warp(map, feed(size, channels)).data)
        expect(worst(a!, b!)).toBeLessThan(closeBy)
      }
      inKernel.takeBack()
    }
  })

  test.each([
    [44, 17],
    [5, 40],
  ])('%d wide and %d high', (size, rows) => {
    for (const channels of ['RGB', 'grey'] as const) {
      const shape = { ...feed(size, channels), rows }
      const [a, b] = [inKernel, inScript].map((picture) => picture.warp([1.7, 0, 3, 0, 1.7, 2], shape))
      expect(a!.dims).toEqual([1, channels === 'grey' ? 1 : 3, rows, size])
      expect(worst(a!.data, b!.data)).toBeLessThan(closeBy)
      // The same rows as for a square that is large enough.
      const square = inScript.warp([1.7, 0, 3, 0, 1.7, 2], feed(Math.max(size, rows), channels))
      const side = Math.max(size, rows)
      for (let y = 0; y < rows; y++)
        expect(b!.data.slice(y * size, (y + 1) * size)).toEqual(square.data.slice(y * side, y * side + size))
      inKernel.takeBack()
    }
  })

  test('at a given place, too', () => {
    const room = inKernel.lend(2 * 3 * 16 * 16)
    const whole = feed(16, 'RGB')
    inKernel.warp([2, 0, 5, 0, 2, 5], whole, room.subarray(3 * 16 * 16))
    expect(worst(room.slice(3 * 16 * 16), inScript.warp([2, 0, 5, 0, 2, 5], whole).data)).toBeLessThan(
      closeBy,
    )
  })
})

describe('the memory of a kernel', () => {
  test.each([
    [64, 48],
    [65, 49],
    [1, 7],
    [2, 2],
  ])('has %d x %d pixels of three bytes as those of four', (width, height) => {
    const frame = speckled(width, height)
    const rgb = Uint8Array.from({ length: 3 * width * height }, (_, i) => frame.rgba[i + Math.floor(i / 3)]!)
    const map: Affine = [width / 8, 0, 0, 0, height / 8, 0]
    const feed: Feed = { size: 8, channels: 'RGB', scale: 1, offset: 0 }
    const [three, four] = [{ width, height, rgb }, frame].map((one) => new Picture(one, kernelMemory()))
    expect(three!.warp(map, feed).data).toEqual(four!.warp(map, feed).data)
    expect(rgbaOf({ width, height, rgb }).rgba).toEqual(frame.rgba)
  })

  test('may shrink and grow alternately', () => {
    const memory = kernelMemory()
    const feed: Feed = { size: 32, channels: 'RGB', scale: 1, offset: 0 }
    for (const [width, height] of [
      [40, 30],
      [1300, 900],
      [64, 64],
    ] as const) {
      const frame = speckled(width, height)
      const map: Affine = [width / 32, 0, 0, 0, height / 32, 0]
      const [a, b] = [memory, scriptMemory()].map((room) => new Picture(frame, room).warp(map, feed).data)
      expect(worst(a!, b!)).toBeLessThan(closeBy)
      for (const lent of [memory.levels, memory.crops]) lent.takeBack()
    }
  })

  test('does not reach beyond a picture of the largest size, and the script takes over', () => {
    const memory = kernelMemory()
    const feed: Feed = { size: 32, channels: 'RGB', scale: 1, offset: 0 }
    for (const height of [1, 2]) {
      const frame = {
        width: mostPixelsInKernel,
        height,
        rgba: new Uint8Array(4 * mostPixelsInKernel * height).fill(9),
      }
      const picture = new Picture(frame, memory)
      expect(new Set(picture.warp([1, 0, 0, 0, 0, 0.5], feed).data)).toEqual(new Set([9]))
      expect(memory.kernel!.memory.buffer.byteLength < 5 * frame.rgba.length).toBe(true)
      for (const lent of [memory.levels, memory.crops]) lent.takeBack()
    }
  })

  test('is bypassed if it cannot grow, and the script reads the picture', () => {
    const memory = kernelMemory()
    Object.assign(memory.kernel!, {
      reach() {
        throw new RangeError('no room')
      },
    })
    const frame = speckled(40, 30)
    const rgb = Uint8Array.from({ length: 3 * 40 * 30 }, (_, i) => frame.rgba[i + Math.floor(i / 3)]!)
    const feed: Feed = { size: 16, channels: 'RGB', scale: 1, offset: 0 }
    const map: Affine = [1, 0, 5, 0, 1, 5]
    const expected = new Picture(frame, scriptMemory()).warp(map, feed).data
    expect(new Picture({ width: 40, height: 30, rgb }, memory).warp(map, feed).data).toEqual(expected)
  })

  test('is lent until it is exhausted, and then allocated elsewhere', () => {
    const picture = new Picture(speckled(64, 48), kernelMemory())
    const feed: Feed = { size: 400, channels: 'RGB', scale: 1, offset: 0 }
    const crops = Array.from({ length: 6 }, () => picture.warp([0.1, 0, 3, 0, 0.1, 3], feed).data)
    expect(new Set(crops.map(({ buffer }) => buffer)).size).toBeGreaterThan(1)
    for (const crop of crops) expect(worst(crop, crops[0]!)).toBeLessThan(closeBy)
  })
})

test('a blur by the kernel equals that of the script', () => {
  for (const [width, height] of [
    [128, 128],
    [8, 3],
    [4, 1],
    [12, 40],
  ] as const) {
    const picture = new Picture(speckled(64, 48), kernelMemory())
    const length = 2 * width * height
    const from = picture.lend(length).map(() => 255 * random())
    const held = picture.lend(length)
    held.set(from)
    const [between, to] = [picture.lend(length), picture.lend(length)]
    blur(held, between, to, { width, height }, 1.1, picture.kernel)
    const expected = new Float32Array(length)
    blur(from, new Float32Array(length), expected, { width, height }, 1.1)
    expect(worst(to, expected)).toBeLessThan(1e-3)
  }
})

test.each([4, 112])('rows of %d numbers are reversed by the kernel as by the script', (width) => {
  const picture = new Picture(speckled(8, 8), kernelMemory())
  const [data, into] = [picture.lend(6 * width), picture.lend(6 * width)]
  data.forEach((_, i) => {
    data[i] = random()
  })
  const dims = [1, 3, 2, width]
  const inScript = new Picture(speckled(8, 8), scriptMemory())
  expect(mirrorImage({ data, dims }, picture, into).data).toEqual(mirrorImage({ data, dims }, inScript).data)
})

test('a kernel only accesses its own memory', () => {
  const [kernel, other] = [openPictureKernel(), openPictureKernel()]
  const own = new Float32Array(kernel.memory.buffer, 0, 4)
  expect(kernelThatHolds(kernel, own)).toBe(kernel)
  expect(kernelThatHolds(other, own)).toBeUndefined()
  expect(kernelThatHolds(kernel, own, new Float32Array(4))).toBeUndefined()
  expect(kernelThatHolds(undefined, own)).toBeUndefined()
})
