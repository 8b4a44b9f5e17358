import type { Context } from 'koa'
import type { Caller } from '#server/features/callers/callers.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { type Fault, Problem } from '#shared/problem.ts'
import type { ProblemCode } from '#shared/problem-codes.ts'
import type { Claim, KeptAnswers, Place } from './kept-answers.ts'
import { type RequestContent, requestPieces } from './request-pieces.ts'
import { subjectsIn } from './subjects.ts'

const printable = /^[\x20-\x7e]{1,255}$/
/** Statuses that do not depend on the request itself, so the same request may be sent again. */
const unkept: readonly number[] = [401, 413, 422, 429]

/** Runs a request, or returns its earlier answer. */
export type AnswerOnce = (ctx: Context, caller: Caller, given: RequestContent, work: Work) => Promise<unknown>

/** Work that is done only once. */
export interface Work {
  run(): Promise<unknown>
  /** @throws {Problem} 403 if this caller may not make the request, whoever made it first */
  mayRepeat(): Promise<void>
}

/** A stored answer. */
type StoredAnswer =
  | { readonly result: unknown }
  | { readonly code: ProblemCode; readonly detail: string; readonly errors: readonly Fault[] }

/**
 * [Note: Permission comes first] A key applies to the whole account, so that a client may repeat a call with another
 * credential. A caller without permission is still refused: credential, kind and scope have been checked before, and the
 * endpoint's permit is checked here.
 *
 * [Note: Repeats at one place] Wraps validation and handler of an endpoint. A request that is repeated under the same key
 * gets the first answer and has no effect. Undefined for an endpoint that accepts no key.
 */
export function createOnce(
  endpoint: Endpoint,
  answers: KeptAnswers,
  onFailure: (error: unknown, requestId?: string) => void,
): AnswerOnce | undefined {
  if (endpoint.idempotency === 'none') return undefined
  const repeats = endpoint.method !== 'POST'

  async function attempt(
    place: Place,
    claim: Claim & { is: 'mine' },
    given: RequestContent,
    run: () => Promise<unknown>,
    requestId: string | undefined,
  ) {
    const fail = (error: unknown) => onFailure(error, requestId)
    const keep = async (kept: StoredAnswer) => {
      const about = subjectsIn([Object.fromEntries(new URLSearchParams(given.query)), given.body, kept])
      await answers.keep(place, claim, JSON.stringify(kept), withoutErased(endpoint, about))
    }
    try {
      const result = await run()
      await keep({ result: repeated(endpoint, result) }).catch(fail)
      return result
    } catch (error) {
      const { code, message: detail, errors, status } = error instanceof Problem ? error : unexpected
      const isKept = status < 500 && !unkept.includes(status)
      await (isKept ? keep({ code, detail, errors }) : answers.release(place, claim)).catch(fail)
      throw error
    }
  }

  return async (ctx, caller, given, { run, mayRepeat }) => {
    const key = ctx.req.headers['idempotency-key']
    if (key === undefined || caller.kind !== 'account') return run()
    if (typeof key !== 'string' || !printable.test(key)) throw malformed()
    await mayRepeat()
    const place = await answers.placeOf(caller.accountId, caller.via, endpoint, key)
    const request = await answers.digestOf(requestPieces(given))
    const claim = await retryOnConflict(() => answers.claim(place, request, repeats), underWay)
    if (claim.is === 'mine') return attempt(place, claim, given, run, caller.requestId)
    if (claim.is !== 'answered') throw refusals[claim.is]()
    ctx.res.setHeader('Idempotency-Replayed', 'true')
    return replayed(JSON.parse(claim.answer) as StoredAnswer)
  }
}

const refusals = { 'other request': reused, 'under way': underWay, interrupted } as const

const unexpected = new Problem('internal_error', '')

/** A repeated answer omits values that are shown only once, and is marked as a repeat. */
function repeated({ idempotency }: Endpoint, result: unknown): unknown {
  if (typeof idempotency === 'string') return result
  const { redactedOnReplay } = idempotency
  const answer = Object.entries(result as object).filter(([name]) => !redactedOnReplay.includes(name))
  return { ...Object.fromEntries(answer), secretShownOnce: true }
}

/** The stored answer to a deletion does not name the person. */
function withoutErased({ erases }: Endpoint, about: ReturnType<typeof subjectsIn>) {
  return erases === 'person' ? { persons: [], sessions: [] } : about
}

/** @throws {Problem} if that was the answer */
function replayed(kept: StoredAnswer): unknown {
  if ('result' in kept) return kept.result
  throw new Problem(kept.code, kept.detail, { errors: kept.errors })
}

function malformed(): Problem {
  return Problem.at('#/header/Idempotency-Key', 'Must have 1 to 255 printable ASCII characters.')
}

function reused(): Problem {
  return new Problem('idempotency_key_reused', 'This Idempotency-Key was used with a different request.')
}

/**
 * [Note: Cut short, and nobody knows] Repeating a call that creates something could create it twice. Repeating one that
 * sets or removes something cannot.
 */
function interrupted(): Problem {
  return new Problem(
    'idempotency_interrupted',
    'The request with this Idempotency-Key was interrupted and may have taken effect. If it did not, repeat it with another key.',
  )
}

function underWay(): Problem {
  return new Problem('idempotency_in_progress', 'The request with this Idempotency-Key is in progress.')
}
