import type { RgbaFrame } from '#models/picture/frame.ts'

/** Three bytes per pixel. */
interface Raster {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

/** The picture scaled around its centre and shifted by fractions of its size. Areas that become uncovered are grey. */
export function scaled({ width, height, rgb }: Raster, size: number, right: number, down: number): RgbaFrame {
  const rgba = new Uint8Array(width * height * 4).fill(128)
  // Averages several pixels when the picture is reduced.
  const across = Math.max(1, Math.min(4, Math.ceil(1 / size)))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 4 * (y * width + x)
      rgba[at + 3] = 255
      const left = (x - width * (0.5 + right)) / size + width / 2
      const top = (y - height * (0.5 + down)) / size + height / 2
      if (left < 0 || top < 0 || left + 1 / size > width || top + 1 / size > height) continue
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let i = 0; i < across ** 2; i++) {
          const column = Math.floor(left + (i % across) / across / size)
          const row = Math.floor(top + Math.floor(i / across) / across / size)
          sum += rgb[3 * (row * width + column) + channel]!
        }
        rgba[at + channel] = sum / across ** 2
      }
    }
  }
  return { width, height, rgba }
}
