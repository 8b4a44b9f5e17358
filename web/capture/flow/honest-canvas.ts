import { canvasJpeg } from '#web/capture/analysis/pictures/canvas-jpeg.ts'

const side = 8
/** Some browsers only randomise the lowest bits of a canvas, and a face remains visible. */
const tolerance = 12
const colours = [
  [255, 0, 0],
  [0, 128, 255],
  [40, 200, 90],
] as const
type Colour = (typeof colours)[number]

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
    const context = contextOf(make())
    if (context === null) return true // a missing context is reported by whatever fails next
    return colours.every((colour) => {
      fill(context, colour)
      return isFilledWith(context, colour)
    })
  } catch {
    return false
  }
}

/** Encodes a picture of one colour as a JPEG. */
type EncodeColour = (colour: Colour) => Promise<ImageBitmapSource>

/** True if the page's encoded pictures show what it drew. Some programs only change those, and the server would see noise. */
export async function encodesPictures(encoders: readonly EncodeColour[] = usualEncoders): Promise<boolean> {
  const encoded = encoders.flatMap((encode) => colours.map((colour) => isEncoded(encode, colour)))
  return (await Promise.all(encoded)).every(Boolean)
}

/** The page encodes the film, the worker everything else. */
const usualEncoders: readonly EncodeColour[] = [
  async (colour) => {
    const canvas = usualCanvases[0]!() as HTMLCanvasElement
    fill(contextOf(canvas)!, colour)
    return new Blob([canvasJpeg(canvas, jpegQuality)])
  },
  async (colour) => {
    const canvas = usualCanvases[1]!() as OffscreenCanvas
    fill(contextOf(canvas)!, colour)
    return canvas.convertToBlob({ type: 'image/jpeg', quality: jpegQuality })
  },
]
const jpegQuality = 0.9

async function isEncoded(encode: EncodeColour, colour: Colour): Promise<boolean> {
  try {
    const picture = await createImageBitmap(await encode(colour))
    const context = contextOf(usualCanvases[1]!())!
    context.drawImage(picture, 0, 0)
    return isFilledWith(context, colour)
  } catch {
    return false
  }
}

function contextOf(canvas: Canvas): CanvasRenderingContext2D | null {
  return canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D | null
}

function fill(context: CanvasRenderingContext2D, [red, green, blue]: Colour): void {
  context.fillStyle = `rgb(${red}, ${green}, ${blue})`
  context.fillRect(0, 0, side, side)
}

function isFilledWith(context: CanvasRenderingContext2D, colour: Colour): boolean {
  const { data } = context.getImageData(0, 0, side, side)
  return data.every((value, i) => Math.abs(value - [...colour, 255][i % 4]!) <= tolerance)
}
