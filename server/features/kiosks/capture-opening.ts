import type { KeyObject } from 'node:crypto'
import { compactDecrypt, compactVerify, importJWK } from 'jose'
import type { KioskRecord } from '#server/features/callers/callers.ts'
import type { TokenKeys } from '#server/features/tokens/tokens.ts'
import { kidOf } from '#server/platform/crypto/signed-token.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import { measureJson } from '#server/platform/http/requests/json-size.ts'
import { type Picture, readFrames, refuseLongReport } from '#server/platform/http/requests/pictures/frames.ts'
import { readTrail, type TrailPicture } from '#server/platform/http/requests/pictures/trail.ts'
import { validate } from '#server/platform/http/requests/validation.ts'
import { type KioskCapture, kioskCapture, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import { type Fault, Problem } from '#shared/problem.ts'

/** A capture signed by this kiosk, with its picture headers checked. */
export interface OpenedCapture {
  readonly capture: KioskCapture
  readonly pictures: readonly Picture[]
  readonly trail: readonly TrailPicture[]
}

/** Opens a capture that a kiosk sealed, signed and sent under this ID. @throws {Problem} 400 `capture_refused` */
export type OpenCapture = (sealed: string, kiosk: KioskRecord, captureId: string) => Promise<OpenedCapture>

const deepest = 32
const mostValues = 100_000

export function createOpenCapture(keys: Pick<TokenKeys, 'find'>, decode?: DecodeBase64): OpenCapture {
  /** [Note: A store that fails says nothing of a capture] The key is looked up outside the code that turns errors into a refusal. */
  async function findKey(sealed: string): Promise<KeyObject> {
    const key = await keys.find(sealerOf(sealed))
    if (key === undefined) throw notSealed()
    return key.privateKey
  }

  return async (sealed, kiosk, captureId) => {
    const jws = await unsealed(sealed, await findKey(sealed)).catch(() => {
      throw notSealed()
    })
    const json = await signedBy(kiosk, jws).catch(() => {
      throw notSigned()
    })
    return faultsInside(async () => {
      const capture = parse(json)
      refuseOther(capture, kiosk, captureId)
      const pictures = await decodePictures(capture, decode)
      return { capture, pictures, trail: await decodeTrail(capture, decode) }
    })
  }
}

function sealerOf(sealed: string): string {
  try {
    return kidOf(sealed)
  } catch {
    throw notSealed()
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
  if (kidOf(jws) !== kioskId) throw new Error('another key')
  const key = await importJWK({ ...device!.publicKey }, 'ES256')
  const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: ['ES256'] })
  if (protectedHeader.typ !== kioskTypes.capture) throw new Error('another type')
  return Buffer.from(payload).toString()
}

function parse(json: string): KioskCapture {
  const { depth, values } = measureJson(json, { depth: deepest, values: mostValues })
  if (depth > deepest || values > mostValues)
    throw Problem.at('#', 'Must be JSON with fewer levels and values.')
  return validate(kioskCapture, parsed(json), '#')
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw Problem.at('#', 'Must be well-formed JSON.')
  }
}

function refuseOther(capture: KioskCapture, { kioskId }: KioskRecord, captureId: string): void {
  if (capture.captureId !== captureId)
    throw Problem.at('#/captureId', 'Must be the captureId of the request.')
  if (capture.kioskId !== kioskId)
    throw Problem.at('#/kioskId', 'Must be the id of the kiosk that sends the capture.')
}

/** [Note: Refused is not looked at] Without consent, pictures are not decoded, even if the capture contains some. */
async function decodePictures(
  { frames, consent, deviceReport }: KioskCapture,
  decode: DecodeBase64 | undefined,
): Promise<Picture[]> {
  refuseLongReport(deviceReport)
  if (!consent.given) return []
  if (frames.length === 0) throw Problem.at('#/frames', 'At least one frame is required.')
  return readFrames(frames, 0, decode)
}

/** A capture's film. The server did not observe its duration, so only its number of pictures is limited. */
async function decodeTrail(
  { trail, consent }: KioskCapture,
  decode: DecodeBase64 | undefined,
): Promise<TrailPicture[]> {
  return consent.given ? readTrail(trail, { alreadySent: 0 }, decode) : []
}

/** Points errors in the capture to their place beneath `sealed`, where the sender finds them. */
async function faultsInside<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw error instanceof Problem ? captureRefused(sealedFaults(error)) : error
  }
}

/** The capture's errors, with pointers beneath `sealed`. */
export function sealedFaults({ errors }: Problem): Fault[] {
  return errors.map(({ pointer, message }) => ({ pointer: `#/sealed${pointer.slice(1)}`, message }))
}

function notSealed(): Problem {
  const message = `Must be a compact JWE with ECDH-ES and A256GCM, the typ ${kioskTypes.sealed}, and the kid of a current or recent sealing key of this server.`
  return captureRefused([{ pointer: '#/sealed', message }])
}

function notSigned(): Problem {
  const message = `Must contain a compact ES256 JWS signed by the key of this kiosk, with the typ ${kioskTypes.capture} and the kioskId as its kid.`
  return captureRefused([{ pointer: '#/sealed', message }])
}

/** One code for all errors in a capture: the kiosk sets it aside and continues with the next one. */
export function captureRefused(errors: readonly Fault[]): Problem {
  return new Problem('capture_refused', 'The capture is invalid; see errors.', { errors })
}
