import type { RgbaFrame } from '#models/picture/frame.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** A picture drawn pixel by pixel. */
export function drawn(width: number, height: number, colour: (x: number, y: number) => Colour): RgbaFrame {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) rgba.set([...colour(x, y), 255], i)
  }
  return { width, height, rgba }
}

/** A grey picture drawn pixel by pixel. */
export function grey(width: number, height: number, value: (x: number, y: number) => number): RgbaFrame {
  return drawn(width, height, (x, y) => {
    const level = value(x, y)
    return [level, level, level]
  })
}
