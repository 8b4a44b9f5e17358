import type { DevicePublicKey } from '#shared/contract/kiosk/kiosk-device.ts'

/** A kiosk as it is stored. Times are milliseconds since 1970. */
export interface KioskRecord {
  readonly kioskId: string
  readonly accountId: string
  readonly name: string
  readonly verificationId: string
  readonly locale: string | null
  readonly created: number
  readonly pairingEnds: number
  /** Null until a device was paired. */
  readonly device: { readonly publicKey: DevicePublicKey; readonly pairedAt: number } | null
  /** When it was switched off; null as long as it was not. */
  readonly revoked: number | null
}
