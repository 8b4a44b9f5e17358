import { randomUUID } from 'node:crypto'
import {
  CompactEncrypt,
  type CompactJWEHeaderParameters,
  CompactSign,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
} from 'jose'
import { createKiosk } from '#shared/contract/kiosk/kiosk.ts'
import {
  assertionGrant,
  type KioskCapture,
  type KioskPlan,
  kioskTypes,
} from '#shared/contract/kiosk/kiosk-capture.ts'
import {
  type DevicePublicKey,
  pairKiosk,
  submitKiosk,
  syncKiosk,
  tokenKiosk,
} from '#shared/contract/kiosk/kiosk-device.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { frameOf, type Scene } from './drawn/fake-picture.ts'
import type { Host } from './host.ts'
import { consent } from './visit.ts'

/** The parts of a host that a device needs. */
export type Server = Pick<Host, 'call' | 'now'>
type Paired = ResultOf<typeof pairKiosk>

/** A device's key and its thumbprint. */
export async function newDeviceKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const { kty, crv, x, y } = await exportJWK(publicKey)
  return { privateKey, publicJwk: { kty, crv, x, y } as DevicePublicKey }
}
type DeviceKey = Awaited<ReturnType<typeof newDeviceKey>>

export interface Device extends Paired {
  readonly key: DeviceKey
  readonly pairingCode: string
}

/** Creates a verification's kiosk and pairs a device with it. */
export async function pairDevice(server: Server, verificationId: string, apiKey?: string): Promise<Device> {
  const given = apiKey === undefined ? {} : { apiKey }
  const { pairingCode } = await server.call(createKiosk, { body: { name: 'Desk', verificationId }, ...given })
  const key = await newDeviceKey()
  const paired = await server.call(pairKiosk, { body: { pairingCode, publicKey: key.publicJwk } })
  return { ...paired, key, pairingCode }
}

/** The device's assertion, with any deviations that the test makes. */
export async function assertionOf(
  { kioskId, issuer, key }: Device,
  now: number,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const iat = Math.floor(now / 1000)
  const own = { iss: kioskId, sub: kioskId, aud: issuer, iat, exp: iat + 60, jti: randomUUID() }
  return new SignJWT({ ...own, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: kioskTypes.assertion, kid: kioskId, ...header })
    .sign(key.privateKey)
}

export function exchange(server: Server, assertion: string) {
  return server.call(tokenKiosk, { body: { grant_type: assertionGrant, assertion } })
}

export async function tokenOf(server: Server, device: Device): Promise<string> {
  return (await exchange(server, await assertionOf(device, server.now()))).access_token
}

export async function sync(server: Server, device: Device, body: Record<string, unknown> = {}) {
  const clockUtcTime = new Date(server.now()).toISOString()
  const told = { clockUtcTime, queued: 0, unusedPlanCount: 0, lastSequence: 0, ...body }
  return server.call(syncKiosk, { bearer: await tokenOf(server, device), body: told })
}

export function planOf(jws: string): KioskPlan {
  return decodeJwt(jws) as unknown as KioskPlan
}

let sequence = 0

type Given = Partial<KioskCapture> & { scenes?: readonly Scene[][] }

/** The capture of a person who follows the plan. `scenes` replaces the steps' scenes. Each capture has a new sequence number. */
export function captureOf(device: Device, now: number, { scenes, ...given }: Given = {}): KioskCapture {
  const plan = given.plan === undefined ? (device.plans.shift() ?? null) : given.plan
  const { actions = [], actionCount = 0 } = plan === null ? {} : planOf(plan)
  const asked = [null, ...actions.slice(0, actionCount)]
  const shown =
    scenes ?? asked.map((action) => [{ person: 'anna', ...(action !== null && { acted: action }) }])
  return {
    captureId: randomUUID(),
    kioskId: device.kioskId,
    sequence: ++sequence,
    capturedAt: new Date(now).toISOString(),
    clockOffsetInMilliseconds: 0,
    plan,
    steps: asked.map((action, step) => ({
      step,
      action,
      accepted: true,
      startedAt: step * 3000,
      endedAt: step * 3000 + 2000,
    })),
    frames: shown.flatMap((ofStep, challengeStep) =>
      ofStep.map((scene) => ({ ...frameOf(scene, challengeStep * 3000 + 1500), challengeStep })),
    ),
    consent,
    answer: { result: 'Pass' },
    ...given,
  }
}

interface Sealing {
  /** Signs in place of the device's own key. */
  readonly key?: DeviceKey
  readonly signed?: Record<string, unknown>
  readonly sealed?: Partial<CompactJWEHeaderParameters>
  readonly sealingKey?: Paired['sealingKey']
}

/** The capture in the form in which the device signs and seals it. */
export async function seal(device: Device, capture: unknown, given: Sealing = {}): Promise<string> {
  const { key = device.key, sealingKey = device.sealingKey } = given
  const signed = await new CompactSign(new TextEncoder().encode(JSON.stringify(capture)))
    .setProtectedHeader({ alg: 'ES256', typ: kioskTypes.capture, kid: device.kioskId, ...given.signed })
    .sign(key.privateKey)
  return new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader({
      alg: 'ECDH-ES',
      enc: 'A256GCM',
      typ: kioskTypes.sealed,
      kid: sealingKey.kid,
      ...given.sealed,
    })
    .encrypt(await importJWK(sealingKey, 'ECDH-ES'))
}

/** Seals a capture and submits it. */
export async function handIn(server: Server, device: Device, capture: KioskCapture, given: Sealing = {}) {
  const sealed = await seal(device, capture, given)
  return send(server, device, { captureId: capture.captureId, sealed })
}

/** Submits a sealed capture. */
export async function send(server: Server, device: Device, body: { captureId: string; sealed: string }) {
  return server.call(submitKiosk, { bearer: await tokenOf(server, device), body })
}
