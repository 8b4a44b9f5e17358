import sharp, { type Sharp } from 'sharp'
import { frameFrom } from '#lab/pictures/sharp-frame.ts'
import { type RgbaFrame, rgbaOf } from '../../models/picture/frame.ts'
import type { Mesh } from '../../models/rules/face/mesh.ts'

/** A picture of a head and its face landmarks, in pixels. */
export interface Head {
  readonly frame: RgbaFrame
  readonly mesh: Mesh
}

/** Degrades a picture. Each call draws how much. */
export type Harm = (head: Head, random: () => number) => RgbaFrame | Promise<RgbaFrame>

const between = (low: number, high: number, random: () => number) => low + (high - low) * random()
/** Draws uniformly on a logarithmic scale. */
const scaled = (low: number, high: number, random: () => number) => low * (high / low) ** random()
const whole = (low: number, high: number, random: () => number) => Math.round(scaled(low, high, random))

/**
 * Damage that leaves little of the person in a picture of a face. Its degree is drawn between hardly any and total, for heads that are about 120
 * pixels high.
 */
export const harms: Readonly<Record<string, Harm>> = {
  darkened: ({ frame }, random) => {
    const [share, sigma] = [scaled(0.02, 0.3, random), random() < 0.5 ? 0 : scaled(0.5, 10, random)]
    return noisy(
      mapped(frame, (value) => value * share),
      sigma,
      random,
    )
  },
  dim: ({ frame }, random) => {
    const share = scaled(0.01, 0.2, random)
    return mapped(frame, (value) => 255 * ((value / 255) ** 2.2 * share) ** (1 / 2.2))
  },
  bright: ({ frame }, random) => {
    const times = scaled(3, 12, random)
    return mapped(frame, (value) => 255 * ((value / 255) ** 2.2 * times) ** (1 / 2.2))
  },
  pale: ({ frame }, random) => {
    const [share, centre] = [scaled(0.03, 0.4, random), between(30, 220, random)]
    return mapped(frame, (value) => centre + share * (value - centre))
  },
  blurred: ({ frame }, random) => blurred(frame, scaled(2, 10, random)),
  'blurred and compressed': async ({ frame }, random) =>
    compressed(await blurred(frame, scaled(1, 5, random)), whole(3, 20, random)),
  'blurred and noisy': async ({ frame }, random) =>
    noisy(await blurred(frame, scaled(1, 5, random)), scaled(5, 50, random), random),
  moved: ({ frame }, random) => moved(frame, whole(8, 34, random), random() < 0.5),
  small: ({ frame }, random) => shrunk(frame, whole(16, 60, random), 'cubic'),
  mosaic: ({ frame }, random) => shrunk(frame, whole(12, 45, random), 'nearest'),
  noisy: ({ frame }, random) => noisy(frame, scaled(20, 90, random), random),
  speckled: ({ frame }, random) => speckled(frame, scaled(0.05, 0.6, random), random),
  compressed: ({ frame }, random) => compressed(frame, whole(1, 9, random)),
  posterised: ({ frame }, random) => {
    const steps = 1 + whole(1, 3, random)
    return mapped(frame, (value) => (Math.round((value / 255) * steps) * 255) / steps)
  },
  tinted: ({ frame }, random) => {
    const gains = [0, 1, 2].map(() => scaled(0.05, 1, random))
    return mapped(frame, (value, channel) => value * gains[channel]!)
  },
  'of two tones': ({ frame }) => ofTwoTones(frame),
  'of edges': ({ frame }) => ofEdges(frame),
  negative: ({ frame }) => mapped(frame, (value) => 255 - value),
  covered: (head, random) => covered(head, random),
  'cut off': (head, random) => cutOff(head, random),
}

export function mapped(
  { width, height, rgba }: RgbaFrame,
  change: (value: number, channel: number) => number,
): RgbaFrame {
  const to = new Uint8ClampedArray(rgba.length)
  for (let i = 0; i < rgba.length; i++) to[i] = i % 4 === 3 ? 255 : change(rgba[i]!, i % 4)
  return rgbaOf({ width, height, rgba: new Uint8Array(to.buffer) })
}

export function noisy(frame: RgbaFrame, sigma: number, random: () => number): RgbaFrame {
  if (sigma === 0) return frame
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return mapped(frame, (value) => value + sigma * normal())
}

/** Turns individual pixels black or white. */
function speckled(frame: RgbaFrame, share: number, random: () => number): RgbaFrame {
  const rgba = Uint8Array.from(frame.rgba)
  for (let i = 0; i < rgba.length; i += 4) {
    const drawn = random()
    if (drawn < share) rgba.fill(drawn < share / 2 ? 0 : 255, i, i + 3)
  }
  return rgbaOf({ ...frame, rgba })
}

function ofTwoTones(frame: RgbaFrame): RgbaFrame {
  const green = Array.from(frame.rgba).filter((_, i) => i % 4 === 1)
  const mean = green.reduce((sum, value) => sum + value, 0) / green.length
  const rgba = frame.rgba.map((_, i) => (i % 4 === 3 || green[i >> 2]! > mean ? 255 : 0))
  return rgbaOf({ ...frame, rgba: Uint8Array.from(rgba) })
}

async function ofEdges(frame: RgbaFrame): Promise<RgbaFrame> {
  const kernel = { width: 3, height: 3, kernel: [-1, -1, -1, -1, 8, -1, -1, -1, -1] }
  const grey = await sharpOf(frame).removeAlpha().greyscale().png().toBuffer()
  return encodedFrom(sharp(grey).convolve(kernel))
}

export function blurred(frame: RgbaFrame, sigma: number): Promise<RgbaFrame> {
  return encodedFrom(sharpOf(frame).removeAlpha().blur(sigma))
}

export async function compressed(frame: RgbaFrame, quality: number): Promise<RgbaFrame> {
  return encodedFrom(sharp(await sharpOf(frame).removeAlpha().jpeg({ quality }).toBuffer()))
}

/** Shrinks a picture to a width in pixels, then enlarges it to the original size again. */
export async function shrunk(
  frame: RgbaFrame,
  width: number,
  kernel: 'cubic' | 'nearest',
): Promise<RgbaFrame> {
  const small = await sharpOf(frame).removeAlpha().resize({ width }).png().toBuffer()
  return encodedFrom(sharp(small).resize({ width: frame.width, height: frame.height, fit: 'fill', kernel }))
}

/** The mean of the picture and copies of it that are shifted sideways or down. */
function moved(frame: RgbaFrame, pixels: number, isSideways: boolean): Promise<RgbaFrame> {
  const size = isSideways ? { width: pixels, height: 1 } : { width: 1, height: pixels }
  // A kernel must have at least three rows and columns.
  const [width, height] = [Math.max(3, size.width | 1), Math.max(3, size.height | 1)]
  const centre = isSideways ? Math.floor(height / 2) : Math.floor(width / 2)
  const kernel = Array.from({ length: width * height }, (_, i) =>
    (isSideways ? Math.floor(i / width) : i % width) === centre ? 1 : 0,
  )
  return encodedFrom(sharpOf(frame).removeAlpha().convolve({ width, height, kernel }))
}

/** The box around some landmarks, enlarged by a share of its size on every side. */
export function boxOf({ points }: Mesh, landmarks: readonly number[] | undefined, share: number) {
  const all = landmarks ?? Array.from({ length: points.length / 3 }, (_, i) => i)
  const [x, y] = [0, 1].map((axis) => all.map((i) => points[3 * i + axis]!))
  const [left, right] = [Math.min(...x!), Math.max(...x!)]
  const [top, bottom] = [Math.min(...y!), Math.max(...y!)]
  const [dx, dy] = [share * (right - left), share * (bottom - top)]
  return { left: left - dx, right: right + dx, top: top - dy, bottom: bottom + dy }
}

export const eyes = [33, 133, 159, 145, 263, 362, 386, 374, 70, 300, 105, 334]
export const mouth = [61, 291, 0, 17, 200, 2]
const noseTip = 1
const noseBridge = 168

function covered({ frame, mesh }: Head, random: () => number): RgbaFrame {
  const face = boxOf(mesh, undefined, 0.1)
  const [x, y] = [mesh.points[3 * noseTip]!, mesh.points[3 * noseTip + 1]!]
  const bridge = mesh.points[3 * noseBridge + 1]! + 0.15 * (face.bottom - face.top)
  const wider = between(0.05, 0.4, random)
  const boxes = [
    boxOf(mesh, eyes, wider),
    boxOf(mesh, mouth, 2 * wider),
    { ...face, right: x },
    { ...face, left: x },
    { ...face, bottom: bridge },
    { ...face, top: y },
  ]
  const level = 255 * random()
  const colour = [0, 1, 2].map(() => Math.max(0, Math.min(255, level + 60 * (random() - 0.5))))
  return painted(frame, boxes[Math.floor(random() * boxes.length)]!, colour)
}

/** A face that is cut off by the edge of the picture. */
function cutOff({ frame, mesh }: Head, random: () => number): RgbaFrame {
  const { left, right, top, bottom } = boxOf(mesh, undefined, 0)
  const all = { left: 0, right: frame.width, top: 0, bottom: frame.height }
  const share = between(0.2, 0.55, random)
  const edges = [
    { ...all, right: left + share * (right - left) },
    { ...all, left: right - share * (right - left) },
    { ...all, bottom: top + share * (bottom - top) },
    { ...all, top: bottom - share * (bottom - top) },
  ]
  return painted(frame, edges[Math.floor(random() * edges.length)]!, [0, 0, 0])
}

export function painted(
  frame: RgbaFrame,
  box: ReturnType<typeof boxOf>,
  colour: readonly number[],
): RgbaFrame {
  const rgba = Uint8Array.from(frame.rgba)
  for (let y = Math.max(0, Math.ceil(box.top)); y < Math.min(frame.height, box.bottom); y++)
    for (let x = Math.max(0, Math.ceil(box.left)); x < Math.min(frame.width, box.right); x++)
      rgba.set(colour, 4 * (y * frame.width + x))
  return rgbaOf({ ...frame, rgba })
}

function sharpOf({ width, height, rgba }: RgbaFrame): Sharp {
  return sharp(rgba, { raw: { width, height, channels: 4 } })
}

/** Encoded once, so that sharp applies all steps in the order in which they are called. */
async function encodedFrom(picture: Sharp): Promise<RgbaFrame> {
  return frameFrom(sharp(await picture.png().toBuffer()))
}
