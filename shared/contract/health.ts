import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { timestamp } from './elements.ts'

export const healthz = endpoint({
  ignoresUnknownNames: true,
  method: 'GET',
  path: '/v1/healthz',
  auth: 'none',
  inClient: true,
  rate: 'uncounted',
  result: timestamp("The server's time, ISO 8601 in UTC."),
  errors: [],
  summary: "Answers the server's UTC time (ISO 8601).",
  description: 'With `Accept: text/plain` the time stands without quotes.',
  textVariant: true,
  example: {},
})

/** [Note: Ours] Besides the health check, which only says that the process lives. */
export const readyz = endpoint({
  method: 'GET',
  path: '/v1/readyz',
  auth: 'none',
  inClient: true,
  rate: 'uncounted',
  result: v.object({
    ready: v.pipe(v.literal(true), v.description('Always true: a host that is not ready answers 503.')),
    unreadableCollections: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.description(
        'How many collections hold faces of an embedding model that this host has no network for.',
      ),
    ),
    inexactSearches: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.description(
          'Where PostgreSQL servers keep faces: how many answers of this host have said `isExact: false` since it started.',
        ),
      ),
    ),
  }),
  errors: [503],
  summary: 'Answers whether traffic may be sent to this host.',
  description:
    'Ready means that the store answers, the keys that sign tokens are there and the networks are warmed up. Otherwise, ' +
    'while it starts and while it stops, the host answers 503 with the code `not_ready` and says what is missing.',
  example: {},
  textVariant: true,
})

export const healthEndpoints = {
  healthz,
  readyz,
}
