/** The coordinate system of the stage drawing, which lies on top of the camera picture. */
export const drawing = { width: 300, height: 400 } as const

/** The oval in these coordinates. It is 62 % as wide as the drawing. */
export const oval = { x: 150, y: 196, rx: 93, ry: 124 } as const

/** The requested and current sizes, each as a fraction of the picture's shorter side. */
export interface Outline {
  readonly wanted: number
  readonly seen: number
  /** The picture's width divided by its height. */
  readonly aspect: number
}

/** Converts a fraction of the picture's shorter side to drawing coordinates; `aspect` is the picture's width divided by its height. */
export function widthOf(share: number, aspect: number): number {
  return share * shorterSide(aspect)
}

/** The oval's width as a fraction of the picture's shorter side. */
export function ovalShare(aspect: number): number {
  return (2 * oval.rx) / shorterSide(aspect)
}

function shorterSide(aspect: number): number {
  const covering = Math.max(drawing.width / aspect, drawing.height)
  return Math.min(covering, covering * aspect)
}
