/** A colour in OKLab, with lightness (0 to 1), chroma and hue (radians). Equal steps in lightness look equal. */
export interface Oklch {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

/** Linear red, green and blue, each from 0 to 1. */
export type LinearRgb = readonly [number, number, number]

export function linearOf(hex: string): LinearRgb {
  return [channelOf(hex, 1), channelOf(hex, 3), channelOf(hex, 5)]
}

export function hexOf(colour: LinearRgb): string {
  return `#${colour.map((value) => byteOf(value).toString(16).padStart(2, '0')).join('')}`
}

export function oklchOf([r, g, b]: LinearRgb): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const alpha = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const beta = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(alpha, beta),
    hue: Math.atan2(beta, alpha),
  }
}

/** The closest displayable colour: the same lightness and hue, with the highest possible chroma. */
export function shownOf(colour: Oklch): LinearRgb {
  const shown = rgbOf(colour)
  const fits = shown.every((value) => value > -0.0005 && value < 1.0005)
  return fits || colour.chroma < 0.001 ? shown : shownOf({ ...colour, chroma: colour.chroma * 0.97 })
}

function rgbOf({ lightness, chroma, hue }: Oklch): LinearRgb {
  const alpha = chroma * Math.cos(hue)
  const beta = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * alpha + 0.2158037573 * beta) ** 3
  const m = (lightness - 0.1055613458 * alpha - 0.0638541728 * beta) ** 3
  const s = (lightness - 0.0894841775 * alpha - 1.291485548 * beta) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function channelOf(hex: string, from: number): number {
  const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function byteOf(linear: number): number {
  const value = Math.min(1, Math.max(0, linear))
  return Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055))
}
