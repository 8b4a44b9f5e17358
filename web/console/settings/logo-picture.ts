import { logoLimits } from '#shared/contract/sessions/logo.ts'

/** Scales a size down to the limits, and leaves smaller sizes unchanged. */
export function sizeWithin(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, logoLimits.side / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The size for a drawing without pixel dimensions. Its longer side gets the maximum. */
export function sizeOfDrawing(width: number, height: number): { width: number; height: number } {
  const [w, h] = width > 0 && height > 0 ? [width, height] : [1, 1]
  const scale = logoLimits.side / Math.max(w, h)
  return { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) }
}

/**
 * [Note: The server parses no SVG] Converts a picture to the Base64 PNG that is uploaded. Image elements
 * render SVG without running its scripts or loading external files.
 */
export async function logoFrom(file: Blob): Promise<string> {
  const address = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const measure = file.type === 'image/svg+xml' ? sizeOfDrawing : sizeWithin
    const { width, height } = measure(image.naturalWidth, image.naturalHeight)
    return drawn(image, width, height)
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Scales the picture down until its file is small enough. */
function drawn(image: HTMLImageElement, width: number, height: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')!.drawImage(image, 0, 0, width, height)
  const bytes = canvas.toDataURL('image/png').split(',')[1]!
  const isTooHeavy = (bytes.length * 3) / 4 > logoLimits.bytes
  return isTooHeavy && width > 1 && height > 1
    ? drawn(image, Math.ceil(width * 0.75), Math.ceil(height * 0.75))
    : bytes
}
