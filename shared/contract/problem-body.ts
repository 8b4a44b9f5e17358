import * as v from 'valibot'
import { problemStatus } from '../problem-codes.ts'
import { theme } from './sessions/theme.ts'

const text = (meaning: string) => v.pipe(v.string(), v.description(meaning))

const fault = v.object({
  pointer: text('Place of the fault: a JSON pointer such as `#/name`, or `#/query/NAME`.'),
  message: text('The rule that was broken.'),
})

const example = {
  type: 'urn:selfsame:problem:invalid_request',
  title: 'Bad Request',
  status: 400,
  detail: 'The request is invalid; see errors.',
  code: 'invalid_request',
  requestId: '2c1b0a52-2f0c-4a5e-9d59-0c1a3b7e8f10',
  errors: [{ pointer: '#/name', message: 'Is required.' }],
}

/** The body of every error response (RFC 9457, `application/problem+json`). */
export const problemBody = v.pipe(
  v.object({
    type: text('The kind of problem: `urn:selfsame:problem:` followed by the code.'),
    title: text('The name of the HTTP status.'),
    status: v.pipe(v.number(), v.integer(), v.description('The HTTP status.')),
    detail: text('Explanation for people.'),
    code: v.pipe(
      text('Code for programs. Codes are stable.'),
      v.metadata({ enum: Object.keys(problemStatus) }),
    ),
    requestId: text('The value of `X-Request-Id`.'),
    errors: v.optional(
      v.pipe(v.array(fault), v.description('All faults of the request; included with every 400.')),
    ),
    /** [Note: Ours] */
    theme: v.optional(theme),
  }),
  v.description('Body of every error answer (RFC 9457).'),
  v.examples([example]),
)

export type ProblemBody = v.InferOutput<typeof problemBody>
