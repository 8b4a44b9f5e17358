import { imageOf } from '#shared/client/image.ts'
import { imageLimits } from '#shared/contract/analysis/image.ts'

/** A chosen picture in the two forms that are sent and shown. */
export interface PickedPicture {
  /** The file name that appears in the shown requests. */
  readonly name: string
  readonly image: { readonly bytes: string }
  /** A data URL. */
  readonly shown: string
  /** In pixels, after applying the orientation. */
  readonly width: number
  readonly height: number
}

/** Why a file was rejected. Each value is a key in the wording. */
export type PickFault = 'notPicture' | 'tooLarge'

type Type = 'image/jpeg' | 'image/png'

/**
 * Reads a file as a picture. JPEG and PNG files are sent unchanged. Other formats that the browser can decode, such as WebP or HEIC,
 * are converted to JPEG, because the endpoints only accept these two.
 */
export async function pickPicture(file: Blob, name: string): Promise<PickedPicture | PickFault> {
  if (file.size > imageLimits.bytes) return 'tooLarge'
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return 'notPicture'
  const { width, height } = bitmap
  const type = await detectType(file)
  const picture = type === undefined ? await encodeJpeg(bitmap) : file
  bitmap.close()
  if (picture === undefined) return 'notPicture'
  if (picture.size > imageLimits.bytes) return 'tooLarge'
  const image = await imageOf(picture)
  const shown = `data:${type ?? 'image/jpeg'};base64,${image.bytes}`
  return {
    name: type === undefined ? `${name.replace(/\.\w+$/, '')}.jpg` : name,
    image,
    shown,
    width,
    height,
  }
}

/** Detects the type from the first few bytes, because file names are unreliable. */
async function detectType(file: Blob): Promise<Type | undefined> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (first === 0xff && second === 0xd8) return 'image/jpeg'
  return first === 0x89 && second === 0x50 ? 'image/png' : undefined
}

const jpegQuality = 0.95

/** Encodes a picture or a video frame as JPEG. Undefined if the browser fails to do so. */
export async function encodeJpeg(source: ImageBitmap | HTMLVideoElement): Promise<Blob | undefined> {
  const isVideo = source instanceof HTMLVideoElement
  const canvas = document.createElement('canvas')
  canvas.width = isVideo ? source.videoWidth : source.width
  canvas.height = isVideo ? source.videoHeight : source.height
  canvas.getContext('2d')?.drawImage(source, 0, 0)
  const blob = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/jpeg', jpegQuality))
  return blob ?? undefined
}
