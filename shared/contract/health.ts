import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

export const healthz = endpoint({
  method: 'GET',
  path: '/v1/healthz',
  auth: 'none',
  result: v.string(),
  errors: [],
  summary: "Answers the server's UTC time (ISO 8601).",
  textVariant: true,
})
