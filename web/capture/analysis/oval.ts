/** The stage's drawing, which the camera's picture covers. */
export const drawing = { width: 300, height: 400 } as const

/** The oval in the units of the drawing: 62 % of it wide. */
export const oval = { x: 150, y: 196, rx: 93, ry: 124 } as const

/** What is shown of a wanted size: both as shares of the picture's shorter side. */
export interface Outline {
  readonly wanted: number
  readonly seen: number
  /** The picture's width over its height. */
  readonly aspect: number
}

/** How large a share of a picture's shorter side is in units of the drawing; `aspect` is the picture's width over its height. */
export function widthOf(share: number, aspect: number): number {
  return share * shorterSide(aspect)
}

/** How wide the oval is as a share of the picture's shorter side. */
export function ovalShare(aspect: number): number {
  return (2 * oval.rx) / shorterSide(aspect)
}

function shorterSide(aspect: number): number {
  const covering = Math.max(drawing.width / aspect, drawing.height)
  return Math.min(covering, covering * aspect)
}
