import type { Logo } from '#shared/contract/sessions/logo.ts'

/** Luminance limits beyond which a pixel has a contrast below 3:1 with the lightest and the darkest page. */
const lostOnLightFrom = 0.28
const lostOnDarkUpTo = 0.12
const opaque = 128
const mostLost = 0.25

/** A decoded logo: 8 bits per channel, row by row. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8ClampedArray | Uint8Array
}

/** The kind of background that gives a logo enough contrast. A logo without transparency brings its own background. */
export function groundOf({ rgba }: Pixels): Logo['ground'] {
  let seen = 0
  let lostOnLight = 0
  let lostOnDark = 0
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at + 3]! < opaque) continue
    const luminance = luminanceOf(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!)
    seen++
    lostOnLight += Number(luminance > lostOnLightFrom)
    lostOnDark += Number(luminance < lostOnDarkUpTo)
  }
  if (seen === rgba.length / 4) return 'any'
  if (Math.max(lostOnLight, lostOnDark) <= seen * mostLost) return 'any'
  return lostOnLight <= lostOnDark ? 'light' : 'dark'
}

/** Relative luminance from 0 to 1, as defined by WCAG. */
function luminanceOf(red: number, green: number, blue: number): number {
  return 0.2126 * linears[red]! + 0.7152 * linears[green]! + 0.0722 * linears[blue]!
}

function linear(byte: number): number {
  const share = byte / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Linear light for every byte value, because computing it per pixel would take most of the time. */
const linears = Float64Array.from({ length: 256 }, (_, byte) => linear(byte))
