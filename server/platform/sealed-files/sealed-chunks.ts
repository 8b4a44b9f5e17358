import { createCipheriv, createDecipheriv } from 'node:crypto'

const tagBytes = 16

/**
 * [Note: Chunks have a place] A file is sealed in chunks so that it does not have to fit into memory. A chunk's nonce is its
 * number plus a flag for the last chunk, under a key that only this file uses. A chunk that was altered, moved, left out or
 * added does not open, and neither does a truncated file.
 */
export function sealChunk(key: Buffer, header: Buffer, place: ChunkPlace, content: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place)).setAAD(header)
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

export interface ChunkPlace {
  readonly number: number
  readonly isLast: boolean
}

/** @throws if the chunk does not belong at this position */
export function openChunk(key: Buffer, header: Buffer, place: ChunkPlace, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(place), { authTagLength: tagBytes })
  decipher.setAAD(header).setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()])
}

function nonceOf({ number, isLast }: ChunkPlace): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isLast ? 1 : 0)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}
