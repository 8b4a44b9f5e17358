import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders, buildersAgain, everybody } from '../../operator-roles.ts'
import { flag, jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { nameOf } from '../identity.ts'
import { change } from '../policies.ts'
import { verificationConfig } from './verification-config.ts'

const nameMaximum = 1024

const overviewEntries = {
  verificationId: text('The identifier, assigned by the service.'),
  name: text('The name, unique within the account.'),
  created: timestamp('When it was created.'),
  lastModified: timestamp('When it was last changed.'),
}

export const verificationOverview = v.object(overviewEntries)

export const verificationDetail = v.object({ ...overviewEntries, verificationConfig })

/** [Note: Ours] The versions of the rules used to judge a verification. */
const rulesOfVerification = {
  policyVersion: text('Version of the rules when it was created; see `livenessPolicy`.'),
  writtenUnder: text('Version of the rules when it was last written; see `evidence`.'),
}

const verificationWithRules = v.object({ ...verificationDetail.entries, ...rulesOfVerification })
export type VerificationDetail = v.InferOutput<typeof verificationWithRules>

/** The number of versions stored per verification, including the current one. [Note: Ours] */
export const mostVersions = 30

/** [Note: Ours] */
const verificationVersion = v.object({
  version: v.pipe(v.number(), v.integer(), v.description('Version number within the verification, from 1.')),
  time: timestamp('When the version came into force.'),
  by: nullableText(
    'The id of the key that wrote it, or the name of the operator who did so in the console. Null if it was written on the server itself, or before versions were stored.',
  ),
  name: text('The name of the verification in this version.'),
  verificationConfig,
})
export type VerificationVersion = v.InferOutput<typeof verificationVersion>

const verificationId = v.pipe(
  v.string(),
  v.minLength(1, 'Must not be empty.'),
  v.description('The identifier of the verification.'),
)

const name = nameOf(nameMaximum, 'A name for people, unique within the account.')

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
      v.description('The verification, with its configuration as sent.'),
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
      v.description('All verifications of the account, oldest first.'),
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
      v.description(`Newest first, beginning with the version in force; ${mostVersions} at most.`),
    ),
  }),
  errors: [400, 401, 403, 404],
  summary: 'Lists the versions of a verification with author, time and content.',
  description:
    'An update without changes adds no version. To restore a version, send its configuration to update, which adds a new one.',
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
    'Answers 409 if a verification with this name exists. Each verification has its own collection, under the same id. Without verificationConfig every verifier is Disabled and links must be signed. Setting eventCallbackUrl requires every scope of the primary key, which webhooks carry.',
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
    verificationId: text('The identifier of the verification with this name.'),
    wasCreated: flag('True if it was created, false if an existing one was updated.'),
  }),
  errors: [400, 401, 403],
  summary: 'Creates the verification configuration with this name, or replaces it.',
  description:
    'In both cases the stored configuration is the one in the request; without verificationConfig it is empty.',
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
    'An absent name or verificationConfig stays unchanged; a verificationConfig replaces the previous one as a whole. Answers 409 if another verification has the new name; the old name becomes free. Open sessions continue with the configuration they started with.',
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
    'Also deletes its collection with all faces. Its name becomes free, its links answer 404, and open sessions expire. Existing results stay for their 7 days.',
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
