import { describe, expect, test } from 'vitest'
import type { Feed } from '#models/picture/feed.ts'
import type { Frame } from '#models/picture/frame.ts'
import { Picture } from '#models/picture/picture.ts'
import { kernelMemory, scriptMemory } from '#models/picture/picture-memory.ts'
import { luminance } from '#models/picture/resample.ts'
import { drawn, grey } from '../../support/drawn/frames.ts'

const greyFeed = (size: number): Feed => ({ size, channels: 'grey', scale: 1, offset: 0 })
const whole = ({ width, height }: Picture) => ({ x: 0, y: 0, width, height })

describe.each([
  ['in the memory of a kernel', kernelMemory],
  ['in that of the script', scriptMemory],
])('%s', (_, createMemory) => {
  const pictureOf = (frame: Frame) => new Picture(frame, createMemory())

  describe('a crop', () => {
    test('at the size of the picture is the picture', () => {
      const frame = grey(16, 16, (x, y) => 10 * x + y)
      const crop = pictureOf(frame).stretch({ x: 0, y: 0, width: 16, height: 16 }, greyFeed(16))
      expect(crop.dims).toEqual([1, 1, 16, 16])
      crop.data.forEach((value, i) => {
        expect(value).toBeCloseTo(10 * (i % 16) + Math.floor(i / 16), 3)
      })
    })

    test.each([
      ['RGB', [10, 20, 30]],
      ['BGR', [30, 20, 10]],
    ] as const)('in %s has its planes in this order', (channels, planes) => {
      const picture = pictureOf(drawn(8, 8, () => [10, 20, 30]))
      const { data, dims } = picture.stretch(whole(picture), { size: 4, channels, scale: 1, offset: 0 })
      expect(dims).toEqual([1, 3, 4, 4])
      expect([data[0], data[16], data[32]]).toEqual(planes)
    })

    test('in grey weights colours as the eye does', () => {
      const picture = pictureOf(drawn(8, 8, () => [200, 100, 50]))
      expect(picture.stretch(whole(picture), greyFeed(4)).data[5]).toBeCloseTo(luminance(200, 100, 50), 3)
      expect(luminance(255, 255, 255)).toBeCloseTo(255)
    })

    test('scales and shifts its values', () => {
      const picture = pictureOf(grey(8, 8, () => 255))
      const fed = picture.stretch(whole(picture), { size: 4, channels: 'RGB', scale: 1 / 127.5, offset: -1 })
      expect(new Set(fed.data)).toEqual(new Set([1]))
    })

    test('is black outside the picture, and white up to its edge', () => {
      const picture = pictureOf(grey(20, 20, () => 255))
      const { data } = picture.stretch({ x: -20, y: 0, width: 40, height: 20 }, greyFeed(40))
      const row = Array.from(data.slice(20 * 40, 21 * 40))
      expect(row.slice(0, 19)).toEqual(new Array(19).fill(0))
      expect(row.slice(21)).toEqual(new Array(19).fill(255))
    })

    test('outside the picture is black', () => {
      const picture = pictureOf(grey(8, 8, () => 255))
      expect(Math.max(...picture.stretch({ x: 100, y: 100, width: 8, height: 8 }, greyFeed(8)).data)).toBe(0)
    })

    test('of a rotated region reads along the rotated axis', () => {
      const picture = pictureOf(grey(32, 32, (x) => 8 * x))
      const region = { centreX: 16, centreY: 16, side: 8, rotation: Math.PI / 2 }
      const { data } = picture.crop(region, greyFeed(8))
      for (let row = 0; row < 8; row++) {
        expect(data[row * 8]).toBeCloseTo(data[row * 8 + 7]!, 2)
        if (row > 0) expect(data[row * 8]!).toBeLessThan(data[(row - 1) * 8]!)
      }
    })
  })

  describe('shrinking', () => {
    test.each([2, 4, 8, 16])('lines one pixel wide by %d leaves their mean, no pattern', (factor) => {
      const picture = pictureOf(grey(128, 128, (x) => (x % 2 === 0 ? 0 : 255)))
      const { data } = picture.stretch(whole(picture), greyFeed(128 / factor))
      for (const value of data) expect(Math.abs(value - 127.5)).toBeLessThan(1.5)
    })

    test.each([
      [[640, 480], 128],
      [[333, 517], 100],
    ] as const)('%j keeps the mean of a random picture', ([width, height], size) => {
      const noise = grey(width, height, (x, y) => (x * 7919 + y * 104729 + x * y * 31) % 256)
      const picture = pictureOf(noise)
      const { data } = picture.stretch(whole(picture), greyFeed(size))
      const mean = data.reduce((sum, value) => sum + value, 0) / data.length
      let all = 0
      for (let i = 0; i < noise.rgba.length; i += 4) all += noise.rgba[i]!
      expect(Math.abs(mean - all / (width * height))).toBeLessThan(3)
    })

    test('of a slope keeps its position', () => {
      const picture = pictureOf(grey(256, 256, (x) => x))
      const { data } = picture.stretch(whole(picture), greyFeed(64))
      for (let x = 1; x < 63; x++) expect(Math.abs(data[32 * 64 + x]! - (4 * x + 1.5))).toBeLessThan(0.8)
    })
  })

  describe('the same pixels', () => {
    const draw = (x: number, y: number) => (x * x + 3 * y) % 256
    const region = { centreX: 40, centreY: 30, side: 50, rotation: 0.3 }

    test('give the same numbers in any container and after any other analysis', () => {
      const frame = grey(80, 60, draw)
      const clamped = { ...frame, rgba: new Uint8ClampedArray(frame.rgba) }
      const used = pictureOf(clamped)
      used.stretch(whole(used), greyFeed(4))
      expect(used.crop(region, greyFeed(24)).data).toEqual(pictureOf(frame).crop(region, greyFeed(24)).data)
    })

    test('are not changed by an analysis', () => {
      const frame = grey(80, 60, draw)
      const before = frame.rgba.slice()
      pictureOf(frame).crop(region, greyFeed(8))
      expect(frame.rgba).toEqual(before)
    })
  })

  describe('the mean luminance', () => {
    test.each([
      [8, 8],
      [640, 480],
      [65, 200],
    ])('of a grey picture of %d x %d is its grey', (width, height) => {
      expect(pictureOf(grey(width, height, () => 77)).meanLuminance()).toBeCloseTo(77, 1)
    })

    test('of a picture half black and half white is in the middle', () => {
      expect(pictureOf(grey(256, 256, (x) => (x < 128 ? 0 : 255))).meanLuminance()).toBeCloseTo(127.5, 0)
    })
  })
})
