const side = 8
/** Browsers that only blur the last bits of a canvas still show a face. */
const tolerance = 12
const colours = [
  [255, 0, 0],
  [0, 128, 255],
  [40, 200, 90],
] as const

type Canvas = HTMLCanvasElement | OffscreenCanvas

/**
 * True if a page reads the colours from a canvas that it has drawn. [Note: A browser that hides pictures] Some give random pixels instead, so that pages cannot
 * recognise a device; the analysis would look for a face in them for ever.
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
    if (context === null) return true // told apart by what fails then
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
