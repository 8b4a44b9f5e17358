import { toBase64 } from './base64.ts'

/** A picture as represented by Node or a browser: a Buffer, an ArrayBuffer, a File or another Blob. */
export type Picture = Uint8Array | ArrayBuffer | { arrayBuffer(): Promise<ArrayBuffer> }

/** Encodes a JPEG or PNG for a request's `image` member. */
export async function imageOf(picture: Picture): Promise<{ bytes: string }> {
  if (picture instanceof Uint8Array) return { bytes: toBase64(picture) }
  const buffer = 'arrayBuffer' in picture ? await picture.arrayBuffer() : picture
  return { bytes: toBase64(new Uint8Array(buffer)) }
}
