import { exportJWK } from 'jose'
import type { DevicePublicKey } from '#shared/contract/kiosk/kiosk-device.ts'
import type { DeviceKey, KioskStore } from '#web/kiosk/core/kiosk-store.ts'

/**
 * The key of this device, made with the first call. [Note: A key before a code] It is on the disk before it is sent
 * anywhere: a pairing whose answer was lost is repeated with the same key, and the server answers it the same.
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

/** The public half, as the server takes it. */
export async function publicJwk({ publicKey }: DeviceKey): Promise<DevicePublicKey> {
  const { x, y } = await exportJWK(publicKey)
  return { kty: 'EC', crv: 'P-256', x: x!, y: y! }
}
