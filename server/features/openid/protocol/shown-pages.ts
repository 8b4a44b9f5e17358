import type { KoaContextWithOIDC } from 'oidc-provider'
import { type ErrorKind, errorPage, type Refusal } from '#server/features/openid/pages/error-page.ts'
import { formPage, formScriptHash } from '#server/features/openid/pages/form-page.ts'
import { problemBodyOf } from '#server/platform/http/responses/problems.ts'
import { formHeaders } from '#server/platform/http/responses/security-headers.ts'
import type { Problem } from '#shared/problem.ts'
import { fieldsOf } from './response-modes.ts'

/** Shows a person the reason that the sign-in cannot continue. */
export function showRefusal(ctx: KoaContextWithOIDC, kind: ErrorKind, refusal: Refusal): void {
  showPage(ctx, errorPage(kind, refusal, languagesOf(ctx)))
}

/** Answers an authorization request with a form that the browser posts to the address. */
export function respondByForm(
  ctx: KoaContextWithOIDC,
  address: string,
  answer: Readonly<Record<string, unknown>>,
): void {
  ctx.status = 200
  ctx.set(formHeaders(address, formScriptHash))
  showPage(ctx, formPage(address, fieldsOf(answer), languagesOf(ctx)))
}

function showPage(ctx: KoaContextWithOIDC, page: string): void {
  ctx.type = 'html'
  ctx.body = page
}

/** [Note: A problem keeps its status] The library would turn a problem from our store into an internal error, a 500. */
export function answerProblem(ctx: KoaContextWithOIDC, problem: Problem): void {
  const { code, status, detail: description, retryAfterInSeconds } = problem
  ctx.status = status
  if (retryAfterInSeconds !== undefined) ctx.set('Retry-After', String(retryAfterInSeconds))
  if (ctx.oidc.route === 'authorization' || ctx.oidc.route === 'resume') {
    showRefusal(ctx, status === 429 ? 'tooMany' : 'refused', { code, description })
  } else {
    ctx.body = JSON.stringify(problemBodyOf(problem, String(ctx.res.getHeader('X-Request-Id'))))
    ctx.type = 'application/problem+json'
  }
}

/** The site's preferred languages, followed by the browser's. */
function languagesOf(ctx: KoaContextWithOIDC): readonly string[] {
  const wanted = ctx.oidc?.params?.ui_locales
  return [...(typeof wanted === 'string' ? [wanted] : []), ...ctx.acceptsLanguages()]
}
