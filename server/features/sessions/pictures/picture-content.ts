import type { Analysis } from '#models/rules/analysis.ts'

/**
 * The bytes that a picture is known by if it comes again: its 32 x 32 luminances, unrounded, or those of its file where there
 * are none. [Note: What is seen counts] A byte behind the end of a JPEG makes another file of it, and no other picture.
 */
export function contentOf(jpegBytes: Uint8Array, { sceneSignature: seen }: Analysis): Uint8Array {
  return seen === undefined ? jpegBytes : new Uint8Array(seen.buffer, seen.byteOffset, seen.byteLength)
}
