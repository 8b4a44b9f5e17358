const side = 8
/** Some browsers only randomise the lowest bits of a canvas, and a face remains visible. */
const tolerance = 12
const colours = [
  [255, 0, 0],
  [0, 128, 255],
  [40, 200, 90],
] as const

type Canvas = HTMLCanvasElement | OffscreenCanvas

/**
 * True if the page reads back the colours that it drew on a canvas. [Note: A browser that hides pictures] To prevent fingerprinting, some
 * browsers return random pixels instead, and the analysis would look for a face in them forever.
 */
export function showsPictures(canvases: readonly (() => Canvas)[] = usualCanvases): boolean {
  return canvases.every((make) => isHonest(make))
}

const usualCanvases = [
  () => Object.assign(document.createElement('canvas'), { width: side, height: side }),
  () => new OffscreenCanvas(side, side),
]

function isHonest(make: () => Canvas): boolean {
  try {
    const context = make().getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D | null
    if (context === null) return true // a missing context is reported by whatever fails next
    return colours.every(([red, green, blue]) => {
      context.fillStyle = `rgb(${red}, ${green}, ${blue})`
      context.fillRect(0, 0, side, side)
      const { data } = context.getImageData(0, 0, side, side)
      return data.every((value, i) => Math.abs(value - [red, green, blue, 255][i % 4]!) <= tolerance)
    })
  } catch {
    return false
  }
}
