import * as v from 'valibot'
import { expect } from 'vitest'
import { problemBody } from '#shared/contract/problem-body.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { strictly } from '../support/contract/strictly.ts'
import type { CaseRequest } from './contract-case.ts'
import type { Setting } from './setting.ts'

/** The answer, with its body as text. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export async function ask(
  { host }: Setting,
  endpoint: Endpoint,
  { on = host, query, rawQuery, body, authorization, headers }: CaseRequest,
): Promise<Answer> {
  const search = rawQuery ?? (query === undefined ? '' : `?${new URLSearchParams(query)}`)
  const answer = await on.fetch(endpoint.path + search, {
    method: endpoint.method,
    headers: {
      ...(authorization && { authorization }),
      ...(endpoint.body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(endpoint.body && endpoint.method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Expects a success that has exactly the members in the definition, each with the right type. */
export function expectResult(endpoint: Endpoint, { status, headers, text }: Answer): void {
  expect(status, text).toBe(endpoint.answersWith ?? 200)
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
  const type = endpoint.plainText === true ? 'text/plain' : 'application/json'
  expect(headers.get('content-type')?.split(';')[0]).toBe(type)
  const given = endpoint.plainText === true ? text : JSON.parse(text)
  const { issues } = v.safeParse(strictly(endpoint.result), given)
  expect(issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`) ?? []).toEqual([])
}

/** Expects a problem with this status and its headers. Returns its errors. */
export function expectProblem(
  { status, headers, text }: Answer,
  expected: number,
): v.InferOutput<typeof problemBody> {
  expect(status, text).toBe(expected)
  expect(headers.get('content-type')).toBe('application/problem+json')
  const problem = v.parse(strictly(problemBody), JSON.parse(text)) as v.InferOutput<typeof problemBody>
  expect(problem.status).toBe(expected)
  expect(headers.get('x-request-id')).toBe(problem.requestId)
  if (expected === 400) expect(problem.errors?.length).toBeGreaterThan(0)
  if (expected === 401) expect(headers.get('www-authenticate')).toMatch(/Bearer|ApiKey/)
  if (expected === 405) expect(headers.get('allow')).toMatch(/[A-Z]/)
  if (expected === 429 || expected === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  return problem
}
