import sharp, { type Sharp } from 'sharp'

/** Pixels with three bytes each. */
export interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

export type Encoding = (picture: Pixels) => Promise<Buffer>

export async function decoded(picture: Buffer | Sharp): Promise<Pixels> {
  const source = Buffer.isBuffer(picture) ? sharp(picture) : picture
  const { data, info } = await source.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/**
 * Re-encodings that show the same picture, with the smallest and the largest change of each kind: quality 40 to 95, 5 to 20 % smaller or larger,
 * shifted by one pixel, 3 % brighter or darker, noise of 2 levels, and a border of one to three pixels (2 % of the width of a picture in the film).
 */
export const encodings: Readonly<Record<string, Encoding>> = {
  'quality 40': (picture) => jpeg(opened(picture), 40),
  'quality 60': (picture) => jpeg(opened(picture), 60),
  'quality 95': (picture) => jpeg(opened(picture), 95),
  '20 % smaller': (picture) => jpeg(scaled(picture, 0.8)),
  '5 % smaller': (picture) => jpeg(scaled(picture, 0.95)),
  '5 % larger': (picture) => jpeg(scaled(picture, 1.05)),
  '20 % larger': (picture) => jpeg(scaled(picture, 1.2)),
  'one pixel': (picture) => jpeg(opened(changed(picture, (value, i) => (i === 3702 ? 255 - value : value)))),
  '3 % brighter': (picture) => jpeg(opened(changed(picture, (value) => value * 1.03))),
  '3 % darker': (picture) => jpeg(opened(changed(picture, (value) => value * 0.97))),
  'noise of 2': (picture) => jpeg(opened(changed(picture, (value) => value + 2 * deviate()))),
  'one row and column cut off': (picture) => jpeg(cut(picture, 1, 0, 0, 1)),
  'three columns and two rows cut off': (picture) => jpeg(cut(picture, 3, 2, 0, 0)),
  'two pixels cut off all around': (picture) => jpeg(cut(picture, 2, 2, 2, 2)),
}

/** The same moment taken with the same camera on another day, i.e. with different light and noise. */
export const anotherTaking: Encoding = (picture) => {
  const gain = 0.95 + Math.random() * 0.1
  return jpeg(opened(changed(picture, (value) => value * gain + 1.5 * deviate())))
}

function opened({ data, width, height }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } })
}

function scaled(picture: Pixels, by: number): Sharp {
  const [width, height] = [Math.round(picture.width * by), Math.round(picture.height * by)]
  return opened(picture).resize(width, height, { fit: 'fill' })
}

function cut(picture: Pixels, left: number, top: number, right: number, bottom: number): Sharp {
  const [width, height] = [picture.width - left - right, picture.height - top - bottom]
  return opened(picture).extract({ left, top, width, height })
}

function changed(picture: Pixels, change: (value: number, i: number) => number): Pixels {
  const data = Uint8ClampedArray.from(picture.data, change)
  return { ...picture, data: Buffer.from(data.buffer) }
}

function jpeg(picture: Sharp, quality = 90): Promise<Buffer> {
  return picture.jpeg({ quality }).toBuffer()
}

const deviates = Float32Array.from(
  { length: 1 << 18 },
  () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random()),
)
let next = 0

/** Takes a normal deviate from a table that is drawn once and read in irregular steps. */
function deviate(): number {
  next += 1 + (next % 3)
  if (next >= deviates.length) next = Math.floor(Math.random() * 1000)
  return deviates[next]!
}
