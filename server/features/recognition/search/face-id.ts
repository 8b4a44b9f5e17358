import { idBytes } from './arena.ts'

/** The 16 bytes of a face id. @throws {TypeError} where it is no UUID */
export function bytesOfFaceId(faceId: string): Uint8Array {
  const bytes = Buffer.from(faceId.replaceAll('-', ''), 'hex')
  if (bytes.length !== idBytes) throw new TypeError('A face id is a UUID')
  return bytes
}

export function faceIdOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
