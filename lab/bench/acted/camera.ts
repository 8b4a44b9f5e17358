import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { type Camera, takePicture } from '../../../e2e/support/acted/camera.ts'

/** Changes made to the footage before the camera sees it: tricks that attackers try, and the faults of a bad camera. */
export const treatments = {
  plain: async (jpeg: Buffer) => jpeg,
  noise14: (jpeg: Buffer) => noisy(jpeg),
  noise14Blurred: async (jpeg: Buffer) => encoded(sharp(await noisy(jpeg)).blur(1.5)),
  blurred: (jpeg: Buffer) => encoded(sharp(jpeg).blur(1.5)),
  sharpened: (jpeg: Buffer) => encoded(sharp(jpeg).sharpen({ sigma: 1.5 })),
  brightened: (jpeg: Buffer) => encoded(sharp(jpeg).gamma(1.4)),
  mirrored: (jpeg: Buffer) => encoded(sharp(jpeg).flop()),
} as const satisfies Record<string, (jpeg: Buffer) => Promise<Buffer>>
export type Treatment = keyof typeof treatments

function encoded(picture: Sharp): Promise<Buffer> {
  return picture.jpeg({ quality: 95 }).toBuffer()
}

function noisy(jpeg: Buffer): Promise<Buffer> {
  return takePicture(jpeg, { gain: 1, noise: 14, offset: 0 })
}

/**
 * Photographs a flat print of this picture, turned about its vertical or horizontal centre line by some degrees and seen from `distance` times its
 * width. The print is surrounded by grey.
 */
export async function tilted(
  jpeg: Buffer,
  { yaw, pitch }: { yaw: number; pitch: number },
  distance = 2,
): Promise<Buffer> {
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const source = printedAt(width, { yaw, pitch }, distance)
  const turned = Buffer.alloc(data.length, 128)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = source(x - width / 2, y - height / 2)
      const column = Math.round(u + width / 2)
      const row = Math.round(v + height / 2)
      if (column < 0 || row < 0 || column >= width || row >= height) continue
      data.copy(turned, (y * width + x) * 3, (row * width + column) * 3, (row * width + column) * 3 + 3)
    }
  }
  return encoded(sharp(turned, { raw: { width, height, channels: 3 } }))
}

/** The point on the print that appears at a point in the picture, both relative to the centre. Solves two linear equations. */
function printedAt(width: number, { yaw, pitch }: { yaw: number; pitch: number }, distance: number) {
  const focal = distance * width
  const [cosYaw, sinYaw, cosPitch, sinPitch] = [yaw, pitch].flatMap((angle) => [
    Math.cos((angle * Math.PI) / 180),
    Math.sin((angle * Math.PI) / 180),
  ]) as [number, number, number, number]
  return (x: number, y: number): [number, number] => {
    const a = cosYaw * focal - x * sinYaw * cosPitch
    const b = -x * sinPitch
    const c = -sinYaw * sinPitch * focal - y * sinYaw * cosPitch
    const d = cosPitch * focal - y * sinPitch
    const determinant = a * d - b * c
    return [((x * d - b * y) * focal) / determinant, ((a * y - x * c) * focal) / determinant]
  }
}

/** Takes each picture once per camera and caches it, because sessions share the analysis. */
export function createStudio(): (
  key: string,
  camera: Camera,
  make: () => Promise<Buffer>,
) => Promise<Buffer> {
  const taken = new Map<string, Promise<Buffer>>()
  return (key, camera, make) => {
    const known = taken.get(key)
    if (known !== undefined) return known
    const picture = make().then((shown) => takePicture(shown, camera))
    taken.set(key, picture)
    return picture
  }
}

export function readFrame(file: string): Promise<Buffer> {
  return readFile(file)
}
