import { exportJWK } from 'jose'
import type { DevicePublicKey } from '#shared/contract/kiosk/kiosk-device.ts'
import type { DeviceKey, KioskStore } from '#web/kiosk/core/kiosk-store.ts'

/**
 * Returns the device's key, creating it on the first call. [Note: A key before a code] It is on disk before it is sent. If
 * the answer to a pairing is lost, the pairing is repeated with the same key, and the server repeats its answer.
 */
export async function keepDeviceKey(store: KioskStore): Promise<DeviceKey> {
  const known = await store.deviceKey()
  if (known !== undefined) return known
  const made = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ])
  const { privateKey, publicKey } = made
  await store.write(['identity'], (transaction) =>
    transaction.objectStore('identity').put({ privateKey, publicKey }, 'deviceKey'),
  )
  return { privateKey, publicKey }
}

/** The public key in the server's format. */
export async function publicJwk({ publicKey }: DeviceKey): Promise<DevicePublicKey> {
  const { x, y } = await exportJWK(publicKey)
  return { kty: 'EC', crv: 'P-256', x: x!, y: y! }
}
