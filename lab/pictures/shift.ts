import { copyPixel } from './paint-mesh.ts'
import type { Raster } from './raster.ts'

/** How to move an entire picture about its centre. */
export interface Shift {
  /** In degrees, clockwise on the screen. */
  readonly turn: number
  /** As a share of its size. */
  readonly size: number
  /** In pixels. */
  readonly x: number
  readonly y: number
}

/** Moves the entire picture, stretching its rim to fill the gaps. */
export function shifted(picture: Raster, { turn, size, x, y }: Shift): Raster {
  const { width, height, rgb } = picture
  const moved: Raster = { width, height, rgb: new Uint8Array(rgb.length) }
  const angle = (-turn * Math.PI) / 180
  const across = Math.cos(angle) / size
  const along = Math.sin(angle) / size
  for (let row = 0; row < height; row++) {
    const v = row - height / 2 - y
    for (let column = 0; column < width; column++) {
      const u = column - width / 2 - x
      const from = [u * across - v * along + width / 2, u * along + v * across + height / 2] as const
      copyPixel(moved, 3 * (row * width + column), picture, from[0], from[1], 1)
    }
  }
  return moved
}
