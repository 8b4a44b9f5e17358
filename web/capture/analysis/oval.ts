/** Coordinates of the stage's drawing, which the camera picture covers. */
export const drawing = { width: 300, height: 400 } as const

/** The oval in these coordinates; its width is 62 % of the drawing's. */
export const oval = { x: 150, y: 196, rx: 93, ry: 124 } as const

/** Requested and current size, both as shares of the picture's shorter side. */
export interface Outline {
  readonly wanted: number
  readonly seen: number
  /** Width of the picture divided by its height. */
  readonly aspect: number
}

/** Converts a share of the picture's shorter side to drawing coordinates; `aspect` is the picture's width divided by its height. */
export function widthOf(share: number, aspect: number): number {
  return share * shorterSide(aspect)
}

/** Width of the oval as a share of the picture's shorter side. */
export function ovalShare(aspect: number): number {
  return (2 * oval.rx) / shorterSide(aspect)
}

function shorterSide(aspect: number): number {
  const covering = Math.max(drawing.width / aspect, drawing.height)
  return Math.min(covering, covering * aspect)
}
