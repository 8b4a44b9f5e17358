import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { ownersAgain } from '../console/operator-roles.ts'
import { jsonObject, nullableText, text, timestamp } from '../elements.ts'
import { externalIdToFind } from '../identity.ts'
import { change, forPersons } from '../policies.ts'
import { consent, sessionStates } from '../sessions/session.ts'
import { evidenceOfSession } from '../sessions/session-evidence.ts'
import { listedSession, sessionSources } from '../sessions/session-list.ts'
import { deviceAttestation } from '../sessions/session-passkey.ts'
import { review } from '../sessions/session-result.ts'
import { keptSignIns } from './person-sign-ins.ts'
import { deliveryStates } from './webhook.ts'

const count = (meaning: string) => v.pipe(v.number(), v.integer(), v.description(meaning))

const externalId = externalIdToFind("The person's external id, as links and calls have named them.")

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
    facesDeleted: count('Faces that were removed from collections.'),
    sessionsDeleted: count('Sessions that were removed with their results.'),
    deliveriesDeleted: count('Webhook deliveries that were removed.'),
  }),
  errors: [400, 401, 403],
  summary: 'Deletes everything of a person.',
  description:
    'Faces with this external id in every collection, sessions with it, their results and the pictures that were kept of them for a review, what is remembered of their pictures, passkeys, what signing in at sites left of them, and webhook deliveries. Of an unknown person nothing is deleted: the counts are 0. The audit log keeps its entries, but nothing leads from them to the person any more.',
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
  result: v.object({ removed: count('Passkeys that were taken back; 0 for an unknown person.') }),
  errors: [400, 401, 403],
  summary: 'Takes back every passkey of a person, who may then bind a new one.',
  description:
    'For somebody who lost the device. The embedding of the face that bound the first passkey is kept: the next one is bound at a visit that reaches `standard` with the same face. In the audit log.',
  example: { body: { externalId: 'user-42' } },
  textVariant: true,
})

const embedding = v.pipe(v.array(v.number()), v.description('The numbers that a face is known by.'))
const anything = v.record(v.string(), v.unknown())

const listedForDays = v.pipe(
  v.number(),
  v.integer(),
  v.description('For how many days from its creation it is listed; everything else of it goes after 7.'),
)

const {
  verificationName: _name,
  externalId: _externalId,
  environment: _environment,
  ...rowMembers
} = listedSession.entries

/** What is left of a session that is older than results are. */
const pastSession = v.object({ ...rowMembers, listedForDays })

const exportedSession = v.object({
  verificationSessionId: text('The session.'),
  verificationId: nullableText('Its verification.'),
  state: v.pipe(v.picklist(sessionStates), v.description('How far it is.')),
  source: v.pipe(v.picklist(sessionSources), v.description('How it came to be.')),
  device: rowMembers.device,
  browser: rowMembers.browser,
  createdAt: timestamp('When it was opened.'),
  completedAt: v.pipe(
    v.nullable(v.string()),
    v.description('When it was completed or had expired.'),
    v.metadata({ format: 'date-time' }),
  ),
  listedForDays,
  correlationId: nullableText("The caller's own id of the visit."),
  locale: nullableText('The language that was asked for.'),
  customInputParameters: v.pipe(
    v.array(v.object({ name: text('The name.'), value: text('The value.') })),
    v.description('What the caller sent along, in its order.'),
  ),
  consent: v.pipe(
    v.nullable(consent),
    v.description('The consent as it was given; null before it was told.'),
  ),
  deviceReport: v.pipe(v.nullable(anything), v.description('What the device reported.')),
  result: v.pipe(v.nullable(anything), v.description('The result, as get-session-result has it.')),
  review,
  evidence: evidenceOfSession,
  deliveries: v.pipe(
    v.array(
      v.object({
        deliveryId: text('The delivery.'),
        created: timestamp('When the event was recorded.'),
        state: v.pipe(v.picklist(deliveryStates), v.description('What became of it.')),
      }),
    ),
    v.description('Events that named the session.'),
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
    exportedAt: timestamp('When this was put together.'),
    sessions: v.pipe(v.array(exportedSession), v.description('Sessions of the last 7 days, newest first.')),
    pastSessions: v.pipe(
      v.array(pastSession),
      v.description(
        'What is left of older ones where a verification lists them for longer (`historyConfig`), newest first: what became of them, without result, pictures or parameters.',
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
          verificationSessionId: text('The visit at which it was bound.'),
          attestation: deviceAttestation,
          embedding,
        }),
      ),
      v.description('Passkeys of the person.'),
    ),
    passkeyFace: v.pipe(
      v.nullable(v.array(v.number())),
      v.description(
        'The embedding that passkeys are pinned to, also after they were reset; null where there is none.',
      ),
    ),
    ...keptSignIns,
    failedSessions: v.pipe(
      v.array(timestamp('When.')),
      v.description('What counts towards the limit of attempts.'),
    ),
    failedTries: v.pipe(v.array(timestamp('When.')), v.description('The same for tries.')),
    suspectedSessions: v.pipe(
      v.array(timestamp('When.')),
      v.description('Sessions of the last hour that looked forged.'),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Exports everything that is kept of a person.',
  description:
    'As JSON, with the consent as it was given. Pictures are not in it: `evidence` says of which session some are kept for who reviews it. Of those of the last 7 days sealed numbers are remembered that only tell whether a picture comes again, and are not in the export. Embeddings are as worthy of protection as faces. Of an unknown person every list is empty. The export is in the audit log.',
  example: { query: { externalId: 'user-42' } },
  textVariant: true,
})

export const personEndpoints = {
  deletePerson,
  exportPerson,
  resetPasskeys,
}
