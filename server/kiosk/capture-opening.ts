import type { KeyObject } from 'node:crypto'
import { compactDecrypt, compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import * as v from 'valibot'
import { measureJson } from '#server/http/json-size.ts'
import { refuseForeignKeys } from '#server/security/signed-token.ts'
import type { TokenKeys } from '#server/security/token-keys.ts'
import { readFrames, refuseLongReport } from '#server/sessions/frames.ts'
import type { Picture } from '#server/sessions/watch.ts'
import { type KioskCapture, kioskCapture, kioskTypes } from '#shared/contract/kiosk-capture.ts'
import { Problem } from '#shared/problem.ts'
import type { KioskRecord } from './kiosk-store.ts'

/** A capture that this kiosk signed, with its pictures checked by their headers. */
export interface OpenedCapture {
  readonly capture: KioskCapture
  readonly pictures: readonly Picture[]
}

/** Opens what a kiosk sealed, signed and sent under this id. @throws {Problem} 400 `capture_refused` */
export type OpenCapture = (sealed: string, kiosk: KioskRecord, captureId: string) => Promise<OpenedCapture>

const deepest = 32
const mostValues = 100_000

export function createOpenCapture(keys: Pick<TokenKeys, 'find'>): OpenCapture {
  /** [Note: A store that fails says nothing of a capture] so the key is sought where nothing is taken for refused. */
  async function keyOf(sealed: string): Promise<KeyObject> {
    const key = await keys.find(kidOf(sealed))
    if (key === undefined) throw captureRefused()
    return key.privateKey
  }

  return async (sealed, kiosk, captureId) => {
    const key = await keyOf(sealed)
    try {
      const capture = parse(await signedBy(kiosk, await unsealed(sealed, key)))
      if (capture.captureId !== captureId || capture.kioskId !== kiosk.kioskId) throw new Error('another one')
      return { capture, pictures: picturesOf(capture) }
    } catch {
      throw captureRefused()
    }
  }
}

function kidOf(sealed: string): string {
  try {
    const header = decodeProtectedHeader(sealed)
    refuseForeignKeys(header)
    return header.kid ?? ''
  } catch {
    throw captureRefused()
  }
}

async function unsealed(sealed: string, key: KeyObject): Promise<string> {
  const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: ['ECDH-ES'],
    contentEncryptionAlgorithms: ['A256GCM'],
  })
  if (protectedHeader.typ !== kioskTypes.sealed) throw new Error('another type')
  return Buffer.from(plaintext).toString()
}

async function signedBy({ device, kioskId }: KioskRecord, jws: string): Promise<string> {
  const key = await importJWK({ ...device!.publicKey }, 'ES256')
  const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: ['ES256'] })
  refuseForeignKeys(protectedHeader)
  const { typ, kid } = protectedHeader
  if (typ !== kioskTypes.capture || kid !== kioskId) throw new Error('another type or key')
  return Buffer.from(payload).toString()
}

function parse(json: string): KioskCapture {
  const { depth, values } = measureJson(json)
  if (depth > deepest || values > mostValues) throw new Error('too deep or too long')
  return v.parse(kioskCapture, JSON.parse(json))
}

/** [Note: Refused is not looked at] Without consent nothing is decoded, whatever came along. */
function picturesOf({ frames, consent, deviceReport }: KioskCapture): Picture[] {
  refuseLongReport(deviceReport)
  if (!consent.given) return []
  if (frames.length === 0) throw new Error('no frames')
  return readFrames(frames, 0).map((bytes, i) => {
    const { time, challengeStep } = frames[i]!
    return { bytes, time, step: challengeStep }
  })
}

/** One answer for everything that is wrong with a capture: the kiosk sets it aside, and goes on with the next one. */
export function captureRefused(): Problem {
  return new Problem(
    'capture_refused',
    'The capture cannot be opened, is not signed by this kiosk, or is malformed.',
    { errors: [{ pointer: '#/sealed', message: 'Must be a capture that this kiosk signed and sealed.' }] },
  )
}
