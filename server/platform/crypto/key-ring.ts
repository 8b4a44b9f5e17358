import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Region } from '#shared/hosts.ts'

const ivBytes = 12
const tagBytes = 16

/** One deployment's keys, all derived from its master secret. `context` binds sealed data to its location. */
export interface KeyRing {
  derive(use: string): Buffer
  seal(use: string, context: string, content: Uint8Array): string
  /** @throws if the data was sealed for another use or context, or has been altered */
  open(use: string, context: string, sealed: string): Buffer
}

/** Keys differ by use and by region, so data sealed in one region cannot be opened in another. */
export function createKeyRing(masterSecret: Uint8Array, region: Region): KeyRing {
  /** One entry per use, about a dozen in total. */
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

/** Derives a 256-bit key with HKDF-SHA-256. */
export function deriveKey(secret: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32))
}

/** Encrypts with AES-256-GCM under a random IV and returns text. The context is authenticated. */
export function seal(key: Uint8Array, context: string, content: Uint8Array): string {
  return sealBytes(key, Buffer.from(context), content).toString('base64url')
}

/** Opens data sealed with `seal`. @throws if key, context or content differ */
export function open(key: Uint8Array, context: string, text: string): Buffer {
  return openBytes(key, Buffer.from(context), Buffer.from(text, 'base64url'))
}

/**
 * The same as bytes: IV, ciphertext, tag; 28 bytes longer than the content. A caller that passes an IV must pass 12 bytes
 * and never use them for other content.
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

/** Opens data sealed with `sealBytes`. @throws if key, context or content differ */
export function openBytes(key: Uint8Array | KeyObject, context: Uint8Array, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(context).setAuthTag(sealed.subarray(-tagBytes))
  const content = decipher.update(sealed.subarray(ivBytes, -tagBytes))
  // Verifies the tag. A stream cipher produces no further output here.
  decipher.final()
  return content
}
