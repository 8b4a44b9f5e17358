import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'

const count = (meaning: string) => v.pipe(v.number(), v.integer(), v.description(meaning))

export const deletePerson = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'DELETE',
  path: '/v1/person/delete',
  query: v.object({
    externalId: v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.description("The person's external id, as links and calls have named them."),
    ),
  }),
  result: v.object({
    facesDeleted: count('Faces that were removed from collections.'),
    sessionsDeleted: count('Sessions that were removed with their results.'),
    deliveriesDeleted: count('Webhook deliveries that were removed.'),
  }),
  errors: [400, 401, 403],
  summary: 'Deletes everything of a person.',
  description:
    'Faces with this external id in every collection, sessions with it and their results, what is remembered of their pictures, passkeys, and webhook deliveries. Of an unknown person nothing is deleted: the counts are 0. The audit log keeps its entries, but nothing leads from them to the person any more.',
  example: { query: { externalId: 'user-42' } },
  textVariant: true,
})
