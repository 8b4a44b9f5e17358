import { CompactEncrypt, CompactSign, importJWK } from 'jose'
import { type KioskCapture, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { SealingKey } from '#shared/contract/kiosk/kiosk-device.ts'

/**
 * Signs a capture with the device's key, and seals what was signed to the server: a compact JWE. From then on nobody reads it
 * on this device, the page itself included: the key that would open it was made for one capture and is gone.
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
