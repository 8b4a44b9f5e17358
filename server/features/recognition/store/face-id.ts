import { createHash, createHmac } from 'node:crypto'

/** The length of a face's ID, a UUID. */
export const idBytes = 16

/** An ID derived deterministically from the parts, which reveals nothing without the key. */
export function faceIdFrom(key: Uint8Array, ...parts: readonly (string | Uint8Array)[]): string {
  const hmac = createHmac('sha256', key).update('face-id')
  // Each part is hashed, so that adjacent parts cannot be confused.
  for (const part of parts) hmac.update(createHash('sha256').update(part).digest())
  const bytes = hmac.digest().subarray(0, idBytes)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return faceIdOf(bytes)
}

/** A face ID's 16 bytes. @throws {TypeError} if it is not a UUID */
export function bytesOfFaceId(faceId: string): Uint8Array {
  const bytes = Buffer.from(faceId.replaceAll('-', ''), 'hex')
  if (bytes.length !== idBytes) throw new TypeError('A face id must be a UUID')
  return bytes
}

export function faceIdOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
