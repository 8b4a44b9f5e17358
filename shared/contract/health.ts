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
  summary: "Returns the server's UTC time (ISO 8601).",
  description: 'With `Accept: text/plain` the time comes without quotes.',
  textVariant: true,
  example: {},
})

/** [Note: Ours] The health check only shows that the process is alive. This one shows that it can serve requests. */
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
      v.description('Number of collections with faces of an embedding model whose network this host lacks.'),
    ),
    inexactSearches: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.description(
          'Number of answers with `isExact: false` since this host started. Present if PostgreSQL servers keep the faces.',
        ),
      ),
    ),
  }),
  errors: [503],
  summary: 'Returns whether this host can receive traffic.',
  description:
    'Ready means that the store answers, the token signing keys are available and the networks are warmed up. Otherwise, ' +
    'during start and shutdown, the host answers 503 with the code `not_ready` and names the missing parts.',
  example: {},
  textVariant: true,
})

export const healthEndpoints = {
  healthz,
  readyz,
}
