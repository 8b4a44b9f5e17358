import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { jsonObject, jsonRecord, text, timestamp } from '../elements.ts'

/** [Note: Ours] `bind` after a visit, `verify` in a later one. */
export const ceremonies = ['bind', 'verify'] as const
export type PasskeyCeremony = (typeof ceremonies)[number]

/** [Note: Ours] Reasons that are findings too, because an operator should look at the device. */
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
/** Why nobody vouches for the device of a passkey. [Note: Ours] */
export type Unattested = (typeof unattested)[number]

export const passkeyUses = ['shown', 'bound'] as const

/** [Note: Ours] Names of its members are those of `PASSKEY_REVOKED`, so that an operator can copy them. */
const chainCertificate = v.object({
  sha256: text('SHA-256 of the certificate as DER, as hex.'),
  issuer: text("SHA-256 of the issuer's name as DER, as hex."),
  serial: text('Its serial number as hex, without leading zeros.'),
})

/** Who vouches for the device of a passkey. [Note: Ours] */
export const attestationDetail = v.object({
  format: text('`packed`, `tpm` or `android-key`.'),
  aaguid: text('Its model, as its maker numbers it.'),
  root: text('SHA-256 of the trusted certificate that vouched, as hex.'),
  attestedAt: timestamp('When: the binding.'),
  certificates: v.optional(
    v.pipe(
      v.array(chainCertificate),
      v.description(
        'The certificates from its own to the trusted one: what `PASSKEY_REVOKED` names a device by. Absent if the passkey was bound with 0.2.0.',
      ),
    ),
  ),
})

/** The same, where somebody does. */
export const deviceAttestation = v.pipe(
  v.nullable(attestationDetail),
  v.description('Who vouches for its device; null where nobody does. It proves a device, never a camera.'),
)

/** A passkey of a visit, as the integrator sees it. [Note: Ours] */
export const sessionPasskey = v.object({
  use: v.pipe(v.picklist(passkeyUses), v.description('`shown` in this visit, or `bound` after it.')),
  attestation: deviceAttestation,
  unattestedBecause: v.pipe(
    v.nullable(v.picklist(unattested)),
    v.description(
      'Why nobody does, and so why it does not lead to `high`; null where somebody does. docs/assurance.md explains each.',
    ),
  ),
})

const responseLimitInBytes = 64 * 1024

const answered = (made: string) =>
  jsonObject({
    response: v.pipe(
      jsonRecord(v.unknown()),
      v.description(`What the browser made with those options, ${made} of WebAuthn as JSON.`),
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
        '`verify` before the pictures are submitted, where `capturePlan.passkey` is true; `bind` once, after a submission that was answered with `offersPasskey`.',
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
  summary: 'Makes the options with which a device shows or makes a passkey.',
  description:
    'The challenge in them counts until the next one. 409 with the code `passkey_unavailable` where none is asked for or offered. The visit goes on without a passkey: it then reaches `standard` at most.',
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
  summary: 'Takes the answer of a passkey that was bound at an earlier visit.',
  description:
    'Together with a visit that reaches `standard` by itself, and whose face is the one that the passkey was bound by, it makes `high` where a maker vouches for its device (`PASSKEY_ROOTS`).',
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
  summary: 'Binds a new passkey to the person of the session, who just reached `standard`.',
  description:
    'Where one is bound it needs that one, shown in the same session, and the face that the first was bound by; at most ten a person. Else, and where another one was bound since it was offered, it is a 409 with the code `passkey_unavailable`. It is kept with the embedding of the face for 400 days since it was last shown, and goes when the person is deleted. A passkey that nobody vouches for leads to `standard` at most. 400 where what the device says of itself is malformed, or not signed by it.',
  example: { body: { response: exampleResponse } },
  bodyLimitInBytes: responseLimitInBytes,
  textVariant: true,
})

export const sessionPasskeyEndpoints = {
  createPasskeyOptions,
  verifyPasskey,
  bindPasskey,
}
