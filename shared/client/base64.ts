import { platform } from './platform.ts'

/** The number of arguments that every engine accepts in a single call. */
const chunkBytes = 8192

export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = []
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    chunks.push(String.fromCharCode(...bytes.subarray(start, start + chunkBytes)))
  }
  return platform.btoa(chunks.join(''))
}

/** @throws if the text is not valid Base64 */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(platform.atob(text), (character) => character.charCodeAt(0))
}
