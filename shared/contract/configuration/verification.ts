import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { flag, jsonObject, text, timestamp } from '../elements.ts'
import { verificationConfig } from './verification-config.ts'

const nameMaximum = 1024

const overviewEntries = {
  verificationId: text('The identifier, given by the service.'),
  name: text('The name; no two verifications of an account share one.'),
  created: timestamp('When it was created.'),
  lastModified: timestamp('When it was last changed.'),
}

export const verificationOverview = v.object(overviewEntries)

export const verificationDetail = v.object({
  ...overviewEntries,
  verificationConfig,
  /** [Note: Ours] */
  policyVersion: text('The rules that there were when it was made; see `livenessPolicy`.'),
})
export type VerificationDetail = v.InferOutput<typeof verificationDetail>

const verificationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The identifier of the verification.'),
)

const name = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.maxLength(nameMaximum, `Must have at most ${nameMaximum} characters.`),
  v.description('A name for people; no two verifications of an account share one.'),
)

const writable = { name, verificationConfig: v.optional(verificationConfig) }

const exampleConfig = {
  verifierConfigs: {
    liveness: { type: 'Verification', challengeType: 'Balanced' },
    age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 18, direction: 'Above' } },
  },
  redirectConfig: { passedUrl: 'https://shop.example/passed', failedUrl: 'https://shop.example/failed' },
  resultParameterConfig: { includeSignature: true, includeSessionId: true, includeVerificationResult: true },
} as const

export const getVerification = endpoint({
  method: 'GET',
  path: '/v1/verification/get',
  auth: 'key-or-bearer',
  scope: 'configure',
  query: v.object({ verificationId }),
  result: v.object({
    verification: v.pipe(
      verificationDetail,
      v.description('The verification, with its configuration as it was sent.'),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Returns one verification configuration.',
  example: { query: { verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01' } },
  textVariant: true,
})

export const getAllVerifications = endpoint({
  method: 'GET',
  path: '/v1/verification/get-all',
  auth: 'key-or-bearer',
  scope: 'configure',
  result: v.object({
    verifications: v.pipe(
      v.array(verificationOverview),
      v.description('Every verification of the account, the oldest first.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Lists the verification configurations of the account.',
  example: {},
  textVariant: true,
})

export const createVerification = endpoint({
  method: 'POST',
  path: '/v1/verification/create',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: jsonObject(writable),
  result: v.object({ verificationId: text('The identifier of the new verification.') }),
  errors: [400, 401, 403, 409],
  summary: 'Creates a verification configuration, to be reused across many sessions.',
  description:
    'Answers 409 when a verification of this name exists. The verification has a collection of its own, under its id. Without verificationConfig every verifier is Disabled and links must be signed. Setting eventCallbackUrl needs every scope of the key that webhooks carry.',
  example: { body: { name: 'sign-up', verificationConfig: exampleConfig } },
  textVariant: true,
})

export const createOrUpdateVerification = endpoint({
  method: 'POST',
  path: '/v1/verification/create-or-update',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: jsonObject(writable),
  result: v.object({
    verificationId: text('The identifier of the verification of this name.'),
    wasCreated: flag('True when it was created, false when the existing one of this name was updated.'),
  }),
  errors: [400, 401, 403],
  summary: 'Creates the verification configuration of this name, or replaces the one that exists.',
  description:
    'Afterwards the configuration is the one that was sent, whichever happened: without verificationConfig it is empty.',
  example: { body: { name: 'sign-up', verificationConfig: exampleConfig } },
  textVariant: true,
})

export const updateVerification = endpoint({
  method: 'PUT',
  path: '/v1/verification/update',
  auth: 'key-or-bearer',
  scope: 'configure',
  body: jsonObject({
    verificationId,
    name: v.optional(name),
    verificationConfig: v.optional(verificationConfig),
  }),
  result: v.object({ verificationId: text('The identifier of the verification.') }),
  errors: [400, 401, 403, 404, 409],
  summary: 'Changes the name or the configuration of a verification.',
  description:
    'A name or a verificationConfig that is not sent stays as it is; one that is sent replaces the former as a whole. Answers 409 when another verification has the new name; the former name is free afterwards. Sessions that are open already go on as they began.',
  example: {
    body: {
      verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01',
      name: 'sign-up',
      verificationConfig: exampleConfig,
    },
  },
  textVariant: true,
})

export const deleteVerification = endpoint({
  method: 'DELETE',
  path: '/v1/verification/delete',
  auth: 'key-or-bearer',
  scope: 'configure',
  query: v.object({ verificationId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Deletes a verification configuration.',
  description:
    'Its collection goes with it, and the faces in it. Its name is free afterwards, its links answer 404, and its sessions that are still open end as expired. Results that are there already stay for their 7 days.',
  example: { query: { verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01' } },
  textVariant: true,
})
