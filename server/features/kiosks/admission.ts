import type { KioskRecord } from '#server/features/callers/callers.ts'
import type { KioskClaims } from '#server/features/tokens/tokens.ts'
import { Problem } from '#shared/problem.ts'
import type { KioskStore } from './kiosk-store.ts'

/** A token's kiosk, if it has not been revoked; undefined if it does not exist. @throws {Problem} 403 `kiosk_revoked` */
export type AdmitKiosk = (claims: KioskClaims) => Promise<KioskRecord | undefined>

/** [Note: Revoked at once] A token lasts 15 minutes, so its kiosk is checked on each request. */
export function createAdmitKiosk(kiosks: Pick<KioskStore, 'read'>): AdmitKiosk {
  return async ({ accountId, kioskId }) => {
    const read = await kiosks.read(accountId, kioskId)
    if (read !== undefined) refuseRevoked(read.value)
    return read?.value
  }
}

/** @throws {Problem} 403 */
export function refuseRevoked({ revoked }: KioskRecord): void {
  if (revoked !== null) throw new Problem('kiosk_revoked', 'This kiosk has been revoked.')
}
