import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, buildersAgain, everybody } from '../console/operator-roles.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { nameOf } from '../identity.ts'
import { change } from '../policies.ts'
import { verificationConfig } from './verification-config.ts'

const nameMaximum = 1024

const overviewEntries = {
  verificationId: text('The identifier, given by the service.'),
  name: text('The name; no two verifications of an account share one.'),
  created: timestamp('When it was created.'),
  lastModified: timestamp('When it was last changed.'),
}

export const verificationOverview = v.object(overviewEntries)

export const verificationDetail = v.object({ ...overviewEntries, verificationConfig })

/** [Note: Ours] The rules that a verification is judged by, beside the interface's object. */
const rulesOfVerification = {
  policyVersion: text('The rules in force when it was created; see `livenessPolicy`.'),
  writtenUnder: text('The rules in force when it was last written; see `evidence`.'),
}

const verificationWithRules = v.object({ ...verificationDetail.entries, ...rulesOfVerification })
export type VerificationDetail = v.InferOutput<typeof verificationWithRules>

/** How many versions of a verification are kept, the one in force among them. [Note: Ours] */
export const mostVersions = 30

/** [Note: Ours] */
const verificationVersion = v.object({
  version: v.pipe(v.number(), v.integer(), v.description('Counts the versions of the verification, from 1.')),
  time: timestamp('Since when it was in force.'),
  by: nullableText(
    'The id of the key that it was written with, or the name of who wrote it in the console; null where it was written at the machine itself, or before versions were kept.',
  ),
  name: text('What the verification was called.'),
  verificationConfig,
})
export type VerificationVersion = v.InferOutput<typeof verificationVersion>

const verificationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The identifier of the verification.'),
)

const name = nameOf(nameMaximum, 'A name for people; no two verifications of an account share one.')

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
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/verification/get',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: everybody,
  query: v.object({ verificationId }),
  result: v.object({
    verification: v.pipe(
      verificationDetail,
      v.description('The verification, with its configuration as it was sent.'),
    ),
    ...rulesOfVerification,
  }),
  errors: [400, 401, 403, 404],
  summary: 'Returns one verification configuration.',
  example: { query: { verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01' } },
  textVariant: true,
})

export const getAllVerifications = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/verification/get-all',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: everybody,
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

export const getVerificationVersions = endpoint({
  method: 'GET',
  path: '/v1/verification/get-versions',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: everybody,
  query: v.object({ verificationId }),
  result: v.object({
    versions: v.pipe(
      v.array(verificationVersion),
      v.description(`The newest first, which is the one in force; ${mostVersions} at most.`),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Lists what a verification was and is: who changed it, when, and to what.',
  description:
    'A change that changes nothing makes no version. To go back, send the configuration of a former version to update: that makes a new one.',
  example: { query: { verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01' } },
  textVariant: true,
})

export const createVerification = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/verification/create',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: builders,
  ...change,
  leadsTo: 'found',
  permittedBy: 'content',
  body: jsonObject(writable),
  result: v.object({ verificationId: text('The identifier of the new verification.') }),
  errors: [400, 401, 403, 409],
  summary: 'Creates a verification configuration, to be reused across many sessions.',
  description:
    'Answers 409 when a verification of this name exists. The verification has a collection of its own, under its id. Without verificationConfig every verifier is Disabled and links must be signed. Setting eventCallbackUrl requires every scope of the primary key, which webhooks carry.',
  example: { body: { name: 'sign-up', verificationConfig: exampleConfig } },
  textVariant: true,
})

export const createOrUpdateVerification = endpoint({
  ignoresUnknownNames: true,
  method: 'POST',
  path: '/v1/verification/create-or-update',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: builders,
  ...change,
  leadsTo: 'found',
  permittedBy: 'content',
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
  ignoresUnknownNames: true,
  method: 'PUT',
  path: '/v1/verification/update',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: builders,
  ...change,
  leadsTo: 'found',
  permittedBy: 'content',
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
  ignoresUnknownNames: true,
  method: 'DELETE',
  path: '/v1/verification/delete',
  auth: 'key-or-bearer',
  scope: 'configure',
  console: buildersAgain,
  ...change,
  leadsTo: 'verificationDeleted',
  query: v.object({ verificationId }),
  result: v.object({}),
  errors: [400, 401, 403, 404],
  summary: 'Deletes a verification configuration.',
  description:
    'Its collection goes with it, and the faces in it. Its name is free afterwards, its links answer 404, and its sessions that are still open end as expired. Results that are there already stay for their 7 days.',
  example: { query: { verificationId: '0b8f5c3e-6a57-4b0e-9a53-2f7c1d4e9a01' } },
  textVariant: true,
})

export const verificationEndpoints = {
  getVerification,
  getAllVerifications,
  getVerificationVersions,
  createVerification,
  createOrUpdateVerification,
  updateVerification,
  deleteVerification,
}
