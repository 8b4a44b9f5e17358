import { bareJpeg } from '#shared/picture/bare-jpeg.ts'

/**
 * A canvas as a JPEG; quality is 0...1. [Note: At once] Asynchronous encoding waits for an idle browser, which can take a second or more.
 * A film picture is small enough to be encoded within one frame.
 */
export function canvasJpeg(canvas: HTMLCanvasElement, quality: number): Uint8Array<ArrayBuffer> {
  const [, base64 = ''] = canvas.toDataURL('image/jpeg', quality).split(',')
  return bareJpeg(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)))
}
