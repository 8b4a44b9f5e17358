import { createTokenKeys, type KeyKind, type TokenKeys } from '#server/features/tokens/tokens.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'

const dayInMilliseconds = 24 * 3600 * 1000
/** Kiosks may be offline for a long time, so a key remains valid for this long after its replacement. */
const overlapInMilliseconds = 90 * dayInMilliseconds

const planKind: KeyKind = { name: 'kiosk-plan-key', algorithm: 'ES256', use: 'sig', overlapInMilliseconds }
const sealingKind: KeyKind = {
  name: 'kiosk-sealing-key',
  algorithm: 'ECDH-ES',
  use: 'enc',
  overlapInMilliseconds,
}

/** The keys that sign plans, and the keys that captures are sealed to. */
export interface KioskKeys {
  readonly plan: TokenKeys
  readonly sealing: TokenKeys
}

export function createKioskKeys(store: Store, keyRing: KeyRing, now: Clock): KioskKeys {
  return {
    plan: createTokenKeys(store, keyRing, now, planKind),
    sealing: createTokenKeys(store, keyRing, now, sealingKind),
  }
}
