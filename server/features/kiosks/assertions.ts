import { importJWK, jwtVerify } from 'jose'
import * as v from 'valibot'
import type { KioskRecord } from '#server/features/callers/callers.ts'
import { kidOf } from '#server/platform/crypto/signed-token.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import { Problem } from '#shared/problem.ts'
import { refuseRevoked } from './admission.ts'
import { issuersOf } from './issuers.ts'
import type { KioskStore } from './kiosk-store.ts'

/** Reads an assertion, which is accepted only once. @throws {Problem} 401, 401 `clock_drift`, 403 `kiosk_revoked` */
export type ReadAssertion = (assertion: string) => Promise<KioskRecord>

/** Used assertions are remembered slightly longer than they could be used again. */
const usedKeptInSeconds = 4 * kioskLimits.assertionInSeconds

const seconds = v.pipe(v.number(), v.integer())
const claims = v.object({
  jti: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  iat: seconds,
  exp: seconds,
})
type Claims = v.InferOutput<typeof claims>

interface Dependencies {
  store: Store
  kiosks: Pick<KioskStore, 'readAny'>
  /** The `aud` required in an assertion, unless its kiosk was given another one earlier. */
  issuer: () => string
  now: Clock
}

export function createReadAssertion({ store, kiosks, issuer, now }: Dependencies): ReadAssertion {
  const used = createTable<true>(store, 'kiosk-assertion')

  async function verified(assertion: string, kiosk: KioskRecord): Promise<Claims> {
    const { kioskId, device } = kiosk
    if (device === null) throw refused()
    const key = await importJWK({ ...device.publicKey }, 'ES256')
    const { payload } = await jwtVerify(assertion, key, {
      algorithms: ['ES256'],
      typ: kioskTypes.assertion,
      issuer: kioskId,
      subject: kioskId,
      audience: issuersOf(kiosk, issuer()),
      // The clock is checked below, once everything else has been validated.
      clockTolerance: Number.MAX_SAFE_INTEGER,
      currentDate: new Date(now()),
    })
    const read = v.parse(claims, payload)
    if (read.exp <= read.iat || read.exp > read.iat + kioskLimits.assertionInSeconds) throw refused()
    return read
  }

  return async (assertion) => {
    const kiosk = await findKiosk(assertion, kiosks)
    const { jti, iat } = await verified(assertion, kiosk).catch((error) => {
      throw error instanceof Problem ? error : refused()
    })
    refuseRevoked(kiosk)
    if (Math.abs(now() / 1000 - iat) > kioskLimits.assertionInSeconds) throw clockDrift(now())
    if (!(await used.insert(kiosk.kioskId, jti, true, usedKeptInSeconds))) throw refused()
    return kiosk
  }
}

async function findKiosk(assertion: string, kiosks: Pick<KioskStore, 'readAny'>): Promise<KioskRecord> {
  const read = await kiosks.readAny(signerOf(assertion))
  if (read === undefined) throw refused()
  return read.value
}

function signerOf(assertion: string): string {
  try {
    return kidOf(assertion)
  } catch {
    throw refused()
  }
}

/**
 * [Note: One answer for everything] A caller without a kiosk's key learns nothing about it, and a caller with the key learns
 * the whole rule.
 */
function refused(): Problem {
  const limit = kioskLimits.assertionInSeconds
  return new Problem(
    'unauthenticated',
    `The assertion is not valid. It must be an ES256 JWT signed by the key of a paired kiosk, with the typ ${kioskTypes.assertion}, the kioskId as kid, iss and sub, the issuer returned by pairing as aud, an exp at most ${limit} s after iat, and a jti that was not used before.`,
  )
}

/** [Note: The server tells the time] A device with a wrong clock can then correct itself and is not locked out. */
function clockDrift(now: number): Problem {
  const limit = kioskLimits.assertionInSeconds
  const time = new Date(now).toISOString()
  return new Problem(
    'clock_drift',
    `The clock is off by more than ${limit} seconds; the server's time is ${time}.`,
  )
}
