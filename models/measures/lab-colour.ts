import type { LabColour } from '#models/rules/analysis.ts'

/** The D65 white point, as defined by sRGB (IEC 61966-2-1). */
const white = { x: 0.95047, y: 1, z: 1.08883 } as const

/** Converts an sRGB colour (red, green and blue in 0...255) to L*a*b*. */
export function labOf(red: number, green: number, blue: number): LabColour {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const x = compressed((0.4124 * r + 0.3576 * g + 0.1805 * b) / white.x)
  const y = compressed((0.2126 * r + 0.7152 * g + 0.0722 * b) / white.y)
  const z = compressed((0.0193 * r + 0.1192 * g + 0.9505 * b) / white.z)
  return { lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) }
}

function linear(value: number): number {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** The cube root, with its linear approximation near black. */
function compressed(t: number): number {
  return t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116
}
