import { compactDecrypt, compactVerify, exportJWK, generateKeyPair } from 'jose'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { kioskCapture } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { SealingKey } from '#shared/contract/kiosk/kiosk-device.ts'
import { captureOf, type TakenCapture } from '#web/kiosk/capture/taken-capture.ts'
import { sealCapture } from '#web/kiosk/delivery/sealing.ts'

const device = await generateKeyPair('ES256')
const server = await generateKeyPair('ECDH-ES', { crv: 'P-256' })
const { x, y } = await exportJWK(server.publicKey)
const sealingKey: SealingKey = {
  kty: 'EC',
  crv: 'P-256',
  x: x!,
  y: y!,
  kid: 'seal-1',
  alg: 'ECDH-ES',
  use: 'enc',
}

const taken: TakenCapture = {
  plan: null,
  steps: [{ step: 0, action: null, accepted: true, startedAt: 0, endedAt: 900 }],
  pictures: [{ bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), time: 12.4, challengeStep: 0 }],
  trail: [{ bytes: new Uint8Array([0xff, 0xd8]), time: 3.6 }],
  wording: { wordingVersion: 'v1', locale: 'en' },
  answer: { result: 'Fail', failedReasons: ['ageNotMet'], estimatedAge: 17.25, expression: 'happy' },
  deviceReport: { analyses: 3 },
}
const meta = {
  captureId: '8c1e2b3a-6f5b-4d0e-9a57-0c1f6f2f7f10',
  kioskId: 'kiosk-1',
  sequence: 7,
  capturedAt: Date.parse('2027-01-31T12:00:00.250Z'),
  clockOffsetInMilliseconds: -1500,
}

describe('a capture', () => {
  test('matches the contract', () => {
    const capture = captureOf(taken, meta)
    expect(v.parse(kioskCapture, capture)).toEqual(capture)
    expect(capture).toMatchObject({
      capturedAt: '2027-01-31T12:00:00.250Z',
      frames: [{ bytes: '/9j/4A==', time: 12, challengeStep: 0 }],
      trail: [{ bytes: '/9g=', time: 4 }],
      consent: { given: true, wordingVersion: 'v1', locale: 'en' },
      answer: { result: 'Fail', failedReasons: ['ageNotMet'], estimatedAge: 17.25 },
    })
  })

  test('is signed by the device and sealed to the server, each with a separate type', async () => {
    const capture = captureOf(taken, meta)
    const sealed = await sealCapture(capture, device.privateKey, sealingKey)
    const opened = await compactDecrypt(sealed, server.privateKey)
    expect(opened.protectedHeader).toMatchObject({
      alg: 'ECDH-ES',
      enc: 'A256GCM',
      typ: 'kiosk-capture+jwe',
      kid: 'seal-1',
    })
    const signed = await compactVerify(new TextDecoder().decode(opened.plaintext), device.publicKey)
    expect(signed.protectedHeader).toEqual({ alg: 'ES256', typ: 'kiosk-capture+jwt', kid: 'kiosk-1' })
    expect(JSON.parse(new TextDecoder().decode(signed.payload))).toEqual(capture)
  })

  test('reveals nothing when it is sealed', async () => {
    const sealed = await sealCapture(captureOf(taken, meta), device.privateKey, sealingKey)
    const readable = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    for (const text of [sealed, ...readable]) {
      expect(text).not.toContain('/9j/4A')
      expect(text).not.toContain('kiosk-1')
      expect(text).not.toContain('ageNotMet')
    }
  })
})
