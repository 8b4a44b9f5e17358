import { createHash } from 'node:crypto'
import type { Analysis } from '#models/rules/analysis.ts'

/**
 * Recognises a picture that is sent again by a hash of its unrounded 32 x 32 luminances, or of its file if it has none.
 * [Note: What is seen counts] A byte appended to a JPEG makes it another file, but not another picture.
 */
export function digestOf(jpegBytes: Uint8Array, { sceneSignature: seen }: Analysis): string {
  const content =
    seen === undefined ? jpegBytes : new Uint8Array(seen.buffer, seen.byteOffset, seen.byteLength)
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}
