import { createHash } from 'node:crypto'
import type { Analysis } from '#models/rules/analysis.ts'

/**
 * What a picture is known by if it comes again: a hash of its 32 x 32 luminances, unrounded, or of its file where there are none.
 * [Note: What is seen counts] A byte behind the end of a JPEG makes another file of it, and no other picture.
 */
export function digestOf(jpegBytes: Uint8Array, { sceneSignature: seen }: Analysis): string {
  const content =
    seen === undefined ? jpegBytes : new Uint8Array(seen.buffer, seen.byteOffset, seen.byteLength)
  return createHash('sha256').update(content).digest('base64url').slice(0, 16)
}
