import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Region } from '#shared/hosts.ts'

const ivBytes = 12
const tagBytes = 16

/** The keys of one deployment, all derived from its master secret. `context` binds what is sealed to its place. */
export interface KeyRing {
  derive(use: string): Buffer
  seal(use: string, context: string, content: Uint8Array): string
  /** @throws when it was sealed for another use or context, or altered */
  open(use: string, context: string, sealed: string): Buffer
}

/** Keys differ by use and by region, so that nothing of one region opens in another. */
export function createKeyRing(masterSecret: Uint8Array, region: Region): KeyRing {
  /** There are as many as there are uses: a dozen. */
  const derived = new Map<string, Buffer>()
  function derive(use: string): Buffer {
    const key = derived.get(use) ?? deriveKey(masterSecret, `${use}|${region}`)
    derived.set(use, key)
    return key
  }
  return {
    derive,
    seal: (use, context, content) => seal(derive(`seal:${use}`), context, content),
    open: (use, context, sealed) => open(derive(`seal:${use}`), context, sealed),
  }
}

/** HKDF-SHA-256 to a key of 256 bits. */
export function deriveKey(secret: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32))
}

/** AES-256-GCM with a random IV, as text; the context is authenticated with it. */
export function seal(key: Uint8Array, context: string, content: Uint8Array): string {
  return sealBytes(key, Buffer.from(context), content).toString('base64url')
}

/** Opens what `seal` sealed. @throws when key, context or content differ */
export function open(key: Uint8Array, context: string, text: string): Buffer {
  return openBytes(key, Buffer.from(context), Buffer.from(text, 'base64url'))
}

/**
 * The same as bytes: IV, what was sealed, tag; 28 bytes longer than the content. An IV that is given must be of 12 bytes and
 * belong to this content alone.
 */
export function sealBytes(
  key: Uint8Array,
  context: Uint8Array,
  content: Uint8Array,
  iv: Uint8Array = randomBytes(ivBytes),
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(context)
  return Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `sealBytes` sealed. @throws when key, context or content differ */
export function openBytes(key: Uint8Array | KeyObject, context: Uint8Array, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(context).setAuthTag(sealed.subarray(-tagBytes))
  const content = decipher.update(sealed.subarray(ivBytes, -tagBytes))
  // Checks the tag. A stream cipher has nothing left to add.
  decipher.final()
  return content
}
