import { CompactEncrypt, CompactSign, importJWK } from 'jose'
import { type KioskCapture, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { SealingKey } from '#shared/contract/kiosk/kiosk-device.ts'

/**
 * Signs a capture with the device's key and encrypts it for the server, as a compact JWE. After that, nothing on this device can
 * read it, not even the page: the content key was generated for this capture and is not stored.
 */
export async function sealCapture(
  capture: KioskCapture,
  privateKey: CryptoKey,
  sealingKey: SealingKey,
): Promise<string> {
  const signed = await new CompactSign(bytesOf(JSON.stringify(capture)))
    .setProtectedHeader({ alg: 'ES256', typ: kioskTypes.capture, kid: capture.kioskId })
    .sign(privateKey)
  return new CompactEncrypt(bytesOf(signed))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', typ: kioskTypes.sealed, kid: sealingKey.kid })
    .encrypt(await importJWK(sealingKey))
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
