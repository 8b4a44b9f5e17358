import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { ownersAgain } from '../../operator-roles.ts'
import { jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { externalIdToFind } from '../identity.ts'
import { change, forPersons } from '../policies.ts'
import { consent, sessionStates, verificationResults } from '../sessions/session.ts'
import { evidenceOfSession } from '../sessions/session-evidence.ts'
import { listedSession, sessionSources } from '../sessions/session-list.ts'
import { deviceAttestation } from '../sessions/session-passkey.ts'
import { review } from '../sessions/session-result.ts'
import { keptSignIns } from './person-sign-ins.ts'
import { deliveryStates } from './webhook.ts'

const count = (meaning: string) => v.pipe(v.number(), v.integer(), v.description(meaning))

const externalId = externalIdToFind("The person's external id, as used in links and calls.")

export const deletePerson = endpoint({
  auth: 'key',
  scope: forPersons,
  method: 'DELETE',
  path: '/v1/person/delete',
  console: ownersAgain,
  ...change,
  erases: 'person',
  query: v.object({ externalId }),
  result: v.object({
    facesDeleted: count('Number of faces deleted from collections.'),
    sessionsDeleted: count('Number of sessions deleted with their results.'),
    deliveriesDeleted: count('Number of webhook deliveries deleted.'),
  }),
  errors: [400, 401, 403],
  summary: 'Deletes all data of a person.',
  description:
    'Deletes faces with this external id in every collection, its sessions with their results and pictures stored for review, remembered fingerprints of their pictures, passkeys, data of sign-ins at sites, and webhook deliveries. For an unknown person all counts are 0. The audit log keeps its entries, but they can no longer be linked to the person.',
  example: { query: { externalId: 'user-42' } },
  textVariant: true,
})

export const resetPasskeys = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'POST',
  path: '/v1/person/reset-passkeys',
  console: ownersAgain,
  ...change,
  body: jsonObject({ externalId }),
  result: v.object({ removed: count('Number of passkeys revoked; 0 for an unknown person.') }),
  errors: [400, 401, 403],
  summary: 'Revokes all passkeys of a person, who can then bind a new one.',
  description:
    'For a person who lost their device. The embedding of the face that bound the first passkey is kept. The next passkey is bound at a visit with the same face that reaches `standard`. Recorded in the audit log.',
  example: { body: { externalId: 'user-42' } },
  textVariant: true,
})

const embedding = v.pipe(v.array(v.number()), v.description('The embedding of the face.'))
const anything = v.record(v.string(), v.unknown())

const listedForDays = v.pipe(
  v.number(),
  v.integer(),
  v.description(
    'Days after creation for which the session is listed; its other data is deleted after 7 days.',
  ),
)

const {
  verificationName: _name,
  externalId: _externalId,
  environment: _environment,
  ...rowMembers
} = listedSession.entries

/** The remains of a session after its result has been deleted. */
const pastSession = v.object({ ...rowMembers, listedForDays })

const exportedSession = v.object({
  verificationSessionId: text('The session.'),
  verificationId: nullableText('Its verification.'),
  state: v.pipe(v.picklist(sessionStates), v.description('State of the session.')),
  outcome: rowMembers.outcome,
  source: v.pipe(v.picklist(sessionSources), v.description('Origin of the session.')),
  device: rowMembers.device,
  browser: rowMembers.browser,
  createdAt: timestamp('When the session was opened.'),
  completedAt: v.pipe(
    v.nullable(v.string()),
    v.description('When the session completed or expired.'),
    v.metadata({ format: 'date-time' }),
  ),
  listedForDays,
  correlationId: nullableText("The caller's own id of the visit."),
  locale: nullableText('The requested language.'),
  customInputParameters: v.pipe(
    v.array(v.object({ name: text('The name.'), value: text('The value.') })),
    v.description('Custom parameters of the caller, in the order sent.'),
  ),
  consent: v.pipe(v.nullable(consent), v.description('The consent as given; null before it was given.')),
  deviceReport: v.pipe(v.nullable(anything), v.description('The report of the device.')),
  result: v.pipe(v.nullable(anything), v.description('The result, as get-session-result returns it.')),
  review,
  secondOpinion: v.pipe(
    v.nullable(
      v.object({
        decision: v.pipe(v.picklist(verificationResults), v.description('What they would have decided.')),
        by: text('The reviewer.'),
        givenAt: timestamp('When they said so.'),
      }),
    ),
    v.description('What a second reviewer would have decided, or null.'),
  ),
  evidence: evidenceOfSession,
  deliveries: v.pipe(
    v.array(
      v.object({
        deliveryId: text('The delivery.'),
        created: timestamp('When the event was recorded.'),
        state: v.pipe(v.picklist(deliveryStates), v.description('State of the delivery.')),
      }),
    ),
    v.description('Events about the session.'),
  ),
})

export const exportPerson = endpoint({
  auth: 'key',
  scope: forPersons,
  method: 'GET',
  path: '/v1/person/export',
  console: ownersAgain,
  audit: 'recorded',
  idempotency: 'replayed',
  query: v.object({ externalId }),
  result: v.object({
    externalId: text('The person.'),
    exportedAt: timestamp('When the export was created.'),
    sessions: v.pipe(v.array(exportedSession), v.description('Sessions of the last 7 days, newest first.')),
    pastSessions: v.pipe(
      v.array(pastSession),
      v.description(
        'Older sessions of verifications that list them for longer (`historyConfig`), newest first: their outcome, without result, pictures or parameters.',
      ),
    ),
    faces: v.pipe(
      v.array(
        v.object({
          collectionId: text('The collection.'),
          faceId: text('The face.'),
          embeddingModel: text('The network that made the embedding.'),
          embedding,
          secondEmbedding: v.optional(embedding),
        }),
      ),
      v.description('Faces with this external id in every collection.'),
    ),
    passkeys: v.pipe(
      v.array(
        v.object({
          credentialId: text('The passkey.'),
          boundAt: timestamp('When it was bound.'),
          verificationSessionId: text('The session in which it was bound.'),
          attestation: deviceAttestation,
          embedding,
        }),
      ),
      v.description('Passkeys of the person.'),
    ),
    passkeyFace: v.pipe(
      v.nullable(v.array(v.number())),
      v.description('The embedding that passkeys are bound to, even after a reset; null if there is none.'),
    ),
    ...keptSignIns,
    deniedFaces: v.pipe(
      v.array(
        v.object({
          collectionId: text('The collection of faces that must not pass.'),
          faceId: text('The face in it.'),
          note: nullableText('The reason that a reviewer gave.'),
          expiresAt: timestamp('When the face is removed.'),
        }),
      ),
      v.description('Faces that reviewers added to collections of faces that must not pass.'),
    ),
    failedSessions: v.pipe(
      v.array(timestamp('When.')),
      v.description('Attempts that count towards the limits.'),
    ),
    failedTries: v.pipe(v.array(timestamp('Time of the try.')), v.description('Times of failed tries.')),
    suspectedSessions: v.pipe(
      v.array(timestamp('When.')),
      v.description('Sessions of the last hour that looked forged.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Exports all data of a person.',
  description:
    'Returns JSON, including the consent as given. Pictures are not included; `evidence` names sessions whose pictures are stored for review. For pictures of the last 7 days the server keeps sealed fingerprints, which only reveal whether a picture is sent again; they are not included either. Protect embeddings like faces. For an unknown person every list is empty. The export is recorded in the audit log.',
  example: { query: { externalId: 'user-42' } },
  textVariant: true,
})

export const personEndpoints = {
  deletePerson,
  exportPerson,
  resetPasskeys,
}
