import { copyPixel, type Points } from './paint-mesh.ts'
import type { Raster } from './raster.ts'

/** The face's outline as landmarks, starting at the forehead and continuing on the left. */
export const outline = [
  ...[10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377],
  ...[152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109],
]

/** How far the bend reaches, as a share of the face's width. At this distance, a third of the movement remains. */
const reach = 0.45
/** Pixels between the grid points of the movement field. Values in between are interpolated. */
const cell = 8

/**
 * Bends the surroundings along with the face. Close to the outline, they move with it (each outline point is weighted by the cube of its
 * proximity), and less and less farther away.
 */
export function bend(picture: Raster, from: Points, to: Points): Raster {
  const { width, height } = picture
  const result: Raster = { width, height, rgb: new Uint8Array(picture.rgb.length) }
  const columns = Math.ceil(width / cell) + 1
  const field = fieldOf(from, to, columns, Math.ceil(height / cell) + 1)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
      const [fx, fy] = [x / cell - column, y / cell - row]
      const at = 2 * (row * columns + column)
      const [dx, dy] = [0, 1].map((axis) => {
        const near = field[at + axis]! * (1 - fx) + field[at + 2 + axis]! * fx
        const below = field[at + 2 * columns + axis]! * (1 - fx) + field[at + 2 * columns + 2 + axis]! * fx
        return near * (1 - fy) + below * fy
      }) as [number, number]
      copyPixel(result, 3 * (y * width + x), picture, x + dx, y + dy, 1)
    }
  }
  return result
}

/** The source of each grid point, relative to its own position, as alternating x and y values. */
function fieldOf(from: Points, to: Points, columns: number, rows: number): Float32Array {
  const field = new Float32Array(2 * columns * rows)
  const across = outline.map((i) => to[3 * i]!)
  const width = Math.max(...across) - Math.min(...across)
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at += 2) {
      const [dx, dy] = pullAt(from, to, column * cell, row * cell, reach * width)
      field[at] = dx
      field[at + 1] = dy
    }
  }
  return field
}

function pullAt(from: Points, to: Points, x: number, y: number, far: number): readonly [number, number] {
  let weights = 0
  let dx = 0
  let dy = 0
  let nearest = Number.POSITIVE_INFINITY
  for (const i of outline) {
    const distance = Math.hypot(to[3 * i]! - x, to[3 * i + 1]! - y)
    const weight = 1 / (distance + 1) ** 3
    nearest = Math.min(nearest, distance)
    weights += weight
    dx += weight * (from[3 * i]! - to[3 * i]!)
    dy += weight * (from[3 * i + 1]! - to[3 * i + 1]!)
  }
  const share = Math.exp(-((nearest / far) ** 2)) / weights
  return [dx * share, dy * share]
}
