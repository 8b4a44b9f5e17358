import { importJWK } from 'jose'
import type { Audit } from '#server/features/audit/audit.ts'
import type { AnonymousCaller, KioskRecord } from '#server/features/callers/callers.ts'
import type { Attempts } from '#server/features/sessions/sessions.ts'
import { networkOf } from '#server/platform/http/limits/network.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { DevicePublicKey, pairKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { readHandoffCode } from '#shared/contract/sessions/session-handoff.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { KioskReports } from './kiosk-reports.ts'
import type { KioskStore } from './kiosk-store.ts'
import type { Provide } from './provisions.ts'

export type PairKiosk = Handler<typeof pairKiosk, AnonymousCaller>

interface Dependencies {
  kiosks: KioskStore
  reports: KioskReports
  /** Counts wrong codes by address. */
  attempts: Pick<Attempts, 'check' | 'noteFailure'>
  audit: Pick<Audit, 'note'>
  provide: Provide
  now: Clock
}

/**
 * Pairs one device with a kiosk. [Note: Repeated, not paired twice] The answer may be lost in transit. A device with the code
 * and the same key that was paired gets the same answer again while the code is valid. Any other key is refused.
 */
export function createPairKiosk(services: Dependencies): PairKiosk {
  const { kiosks, reports, attempts, audit, provide, now } = services

  async function pair(code: string, publicKey: DevicePublicKey, places: string[]) {
    const read = await kiosks.readByCode(code)
    if (read === undefined) {
      await attempts.noteFailure(places, null)
      throw new Problem('unauthenticated', 'The pairing code is unknown.')
    }
    const { value: kiosk } = read
    if (!mayPair(kiosk, publicKey, now())) throw worthless()
    const provisions = await provide(kiosk, 0)
    if (kiosk.device !== null) return { kiosk, provisions, isNew: false }
    const paired = { ...kiosk, device: { publicKey, pairedAt: now(), issuers: [provisions.issuer] } }
    return (await kiosks.replace(read, paired)) ? { kiosk: paired, provisions, isNew: true } : undefined
  }

  return async ({ body, caller: { address } }) => {
    const places = [`pairing|${networkOf(address)}`]
    await attempts.check(places, null)
    const { kty, crv, x, y } = body.publicKey
    await refuseImpossible({ kty, crv, x, y })
    const code = readHandoffCode(body.pairingCode)
    const { kiosk, provisions, isNew } = await retryOnConflict(
      () => pair(code, { kty, crv, x, y }, places),
      worthless,
    )
    const { kioskId, accountId, name, verificationId } = kiosk
    if (isNew) await audit.note(accountId, 'pairKiosk', 'kiosk', { kioskId, verificationId })
    await reports.see(kioskId)
    return { kioskId, name, ...provisions }
  }
}

function mayPair({ pairingEnds, revoked, device }: KioskRecord, key: DevicePublicKey, now: number): boolean {
  const isFree = device === null || (device.publicKey.x === key.x && device.publicKey.y === key.y)
  return revoked === null && now < pairingEnds && isFree
}

/** [Note: A code is not spent on a key that there is not] A key that is not a point on the curve could never sign. @throws {Problem} 400 */
async function refuseImpossible(key: DevicePublicKey): Promise<void> {
  await importJWK(key, 'ES256').catch(() => {
    throw Problem.at('#/publicKey', 'Must be a point of the curve P-256.')
  })
}

function worthless(): Problem {
  return new Problem('pairing_expired', 'The pairing code has been used or has expired.')
}
