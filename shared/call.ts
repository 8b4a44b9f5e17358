import type { ProblemBody } from './contract/problem-body.ts'
import type { Arguments, Endpoint, ResultOf } from './endpoint.ts'
import { Problem } from './problem.ts'
import { type ProblemCode, problemStatus } from './problem-codes.ts'

interface Answer {
  ok: boolean
  status: number
  headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** The subset of `fetch` that the client uses; available in browsers and Node. */
export type Fetch = (
  address: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Answer>

/** A credential for the Authorization header. */
export type Credential = { apiKey: string } | { bearer: string } | undefined

/**
 * Calls an endpoint and returns its result.
 * @throws {Problem} with the server's code if the answer is not a success
 */
export async function call<E extends Endpoint>(
  fetch: Fetch,
  origin: string,
  endpoint: E,
  { query, body, credential }: Arguments<E> & { credential?: Credential },
): Promise<ResultOf<E>> {
  return callUnchecked(fetch, origin, endpoint, { query, body, credential })
}

/** Arguments of a call whose endpoint is only known when it runs, or whose body is encoded elsewhere. */
export interface UncheckedArguments {
  readonly query?: unknown
  readonly body?: unknown
  readonly credential?: Credential
}

/** Like `call`, without checking the arguments against the endpoint. */
export async function callUnchecked<E extends Endpoint>(
  fetch: Fetch,
  origin: string,
  endpoint: E,
  args: UncheckedArguments,
): Promise<ResultOf<E>> {
  const hasBody = endpoint.body !== undefined
  const answer = await fetch(origin + endpoint.path + queryString(args.query), {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...authorization(args.credential),
    },
    ...(hasBody ? { body: JSON.stringify(args.body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok) throw problemFrom(text, answer)
  return (endpoint.plainText === true ? text : JSON.parse(text)) as ResultOf<E>
}

function authorization(credential: Credential): Record<string, string> {
  if (credential === undefined) return {}
  const value = 'apiKey' in credential ? `ApiKey ${credential.apiKey}` : `Bearer ${credential.bearer}`
  return { authorization: value }
}

function queryString(query: unknown): string {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function problemFrom(text: string, answer: Answer): Problem {
  const body = readProblem(text)
  const code =
    body !== undefined && body.code in problemStatus ? (body.code as ProblemCode) : codeOf(answer.status)
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new Problem(code, body?.detail ?? strangersDetail(answer), {
    status: answer.status,
    isForeign: body?.code === undefined,
    requestId: body?.requestId ?? answer.headers.get('x-request-id') ?? undefined,
    members: membersOf(body),
    ...(body?.errors === undefined ? {} : { errors: body.errors }),
    ...(Number.isFinite(retryAfter) ? { retryAfterInSeconds: retryAfter } : {}),
  })
}

/** Members of a problem body other than the standard ones. */
function membersOf(body: ProblemBody | undefined): Readonly<Record<string, unknown>> {
  const { type, title, status, detail, code, requestId, errors, ...members } =
    body ?? ({} as Partial<ProblemBody>)
  return members
}

/** Error detail for an answer that came from a proxy or another server. */
function strangersDetail({ headers }: Answer): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  return `The answer${type === '' ? '' : ` (${type})`} did not come from Selfsame, but from another server or a proxy. Is the origin right?`
}

function readProblem(text: string): ProblemBody | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as ProblemBody) : undefined
  } catch {
    return undefined
  }
}

function codeOf(status: number): ProblemCode {
  const found = Object.entries(problemStatus).find(([, value]) => value === status)
  return (found?.[0] ?? 'internal_error') as ProblemCode
}
