import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, jsonRecord, text, timestamp } from '../elements.ts'

/** [Note: Ours] `bind` after a visit, `verify` in a later visit. */
export const ceremonies = ['bind', 'verify'] as const
export type PasskeyCeremony = (typeof ceremonies)[number]

/** [Note: Ours] Reasons that are also reported as findings, because an operator should take a look at the device. */
export const deviceFindingKinds = ['deviceRevoked', 'deviceUnknown'] as const

export const unattested = [
  'notAsked',
  'notSent',
  'selfAttested',
  'synced',
  'softwareKey',
  'unsupportedFormat',
  'unknownRoot',
  'certificateExpired',
  'rootWithdrawn',
  'unlockedDevice',
  ...deviceFindingKinds,
] as const
/** Why a passkey's device is not attested. [Note: Ours] */
export type UnattestedReason = (typeof unattested)[number]

export const passkeyUses = ['shown', 'bound'] as const

/** [Note: Ours] The member names match `PASSKEY_REVOKED`, so that operators can copy them over. */
const chainCertificate = v.object({
  sha256: text('SHA-256 of the certificate as DER, as hex.'),
  issuer: text("SHA-256 of the issuer's name as DER, as hex."),
  serial: text('Its serial number as hex, without leading zeros.'),
})

/** The attestation of a passkey's device. [Note: Ours] */
export const attestationDetail = v.object({
  format: text('`packed`, `tpm` or `android-key`.'),
  aaguid: text('The model number assigned by its maker.'),
  root: text('SHA-256 of the trusted root certificate, as hex.'),
  attestedAt: timestamp('When: the binding.'),
  certificates: v.optional(
    v.pipe(
      v.array(chainCertificate),
      v.description(
        'The certificate chain from the device to the trusted root. `PASSKEY_REVOKED` identifies devices by these. Absent if the passkey was bound with 0.2.0.',
      ),
    ),
  ),
})

/** The attestation of a passkey's device, or null. */
export const deviceAttestation = v.pipe(
  v.nullable(attestationDetail),
  v.description('Attestation of its device, or null. It proves a device, not a camera.'),
)

/** A visit's passkey as seen by integrators. [Note: Ours] */
export const sessionPasskey = v.object({
  use: v.pipe(v.picklist(passkeyUses), v.description('`shown` in this visit, or `bound` after it.')),
  attestation: deviceAttestation,
  unattestedBecause: v.pipe(
    v.nullable(v.picklist(unattested)),
    v.description(
      'Why the device is not attested, so that the passkey does not lead to `high`; null if it is. docs/assurance.md explains each value.',
    ),
  ),
})

const responseLimitInBytes = 64 * 1024

const answered = (made: string) =>
  jsonObject({
    response: v.pipe(
      jsonRecord(v.unknown()),
      v.description(`The browser's answer to those options, ${made} of WebAuthn as JSON.`),
    ),
  })

const exampleResponse = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {}, response: {} }

export const createPasskeyOptions = endpoint({
  method: 'POST',
  path: '/v1/verification/create-passkey-options',
  auth: 'session',
  audit: 'unrecorded',
  body: jsonObject({
    ceremony: v.pipe(
      v.picklist(ceremonies),
      v.description(
        '`verify` before the pictures are submitted, if `capturePlan.passkey` is true; `bind` once, after a submission that was answered with `offersPasskey`.',
      ),
    ),
  }),
  result: v.object({
    options: v.pipe(
      v.record(v.string(), v.unknown()),
      v.description(
        'For `navigator.credentials`, as JSON: PublicKeyCredentialRequestOptions, or PublicKeyCredentialCreationOptions to bind.',
      ),
    ),
  }),
  errors: [400, 401, 404, 409, 410],
  summary: 'Returns the options with which a device uses or creates a passkey.',
  description:
    'The challenge is valid until the next one is issued. 409 with the code `passkey_unavailable` if no passkey is requested or offered. The visit can continue without a passkey and then reaches `standard` at most.',
  example: { body: { ceremony: 'verify' } },
  textVariant: true,
})

export const verifyPasskey = endpoint({
  method: 'POST',
  path: '/v1/verification/verify-passkey',
  auth: 'session',
  audit: 'recorded',
  body: answered('an AuthenticationResponse'),
  result: v.object({}),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Accepts the assertion of a passkey that was bound at an earlier visit.',
  description:
    'A visit reaches `high` if it reaches `standard` by itself, its face is the one that bound the passkey, and a trusted maker attests the device (`PASSKEY_ROOTS`).',
  example: { body: { response: exampleResponse } },
  bodyLimitInBytes: responseLimitInBytes,
  textVariant: true,
})

export const bindPasskey = endpoint({
  method: 'POST',
  path: '/v1/verification/bind-passkey',
  auth: 'session',
  audit: 'recorded',
  body: answered('a RegistrationResponse'),
  result: v.object({}),
  errors: [400, 401, 404, 409, 410, 413],
  summary: 'Binds a new passkey to the person of a session that has just reached `standard`.',
  description:
    'If the person already has a passkey, it must have been shown in the same session, and the face must be the one that bound the first; at most ten per person. Otherwise, or if another passkey was bound since the offer, the call is a 409 with the code `passkey_unavailable`. The passkey is stored with the embedding of the face for 400 days after its last use, and deleted with the person. Without attestation it leads to `standard` at most. 400 if the attestation is malformed or not signed by the device.',
  example: { body: { response: exampleResponse } },
  bodyLimitInBytes: responseLimitInBytes,
  textVariant: true,
})

export const sessionPasskeyEndpoints = {
  createPasskeyOptions,
  verifyPasskey,
  bindPasskey,
}
