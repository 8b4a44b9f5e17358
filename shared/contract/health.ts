import { endpoint } from '../endpoint.ts'
import { timestamp } from './common.ts'

export const healthz = endpoint({
  method: 'GET',
  path: '/v1/healthz',
  auth: 'none',
  result: timestamp("The server's time, ISO 8601 in UTC."),
  errors: [],
  summary: "Answers the server's UTC time (ISO 8601).",
  description: 'With `Accept: text/plain` the time stands without quotes.',
  textVariant: true,
  example: {},
})
