import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeJwt } from 'jose'
import type { Provider } from 'oidc-provider'
import { wholeResult } from '#server/features/sessions/sessions.ts'
import { pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { firstKnownTag } from '#shared/languages.ts'
import { acrReached, acrWishOf } from './assurance.ts'
import { SignInOver } from './sign-in-over.ts'
import type { AskedVisit, VisitOutcome, Visits } from './visits.ts'

/** A request from the person's browser within a sign-in. */
export interface BrowserRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** The person's network address. */
  readonly address: string
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
type PassedVisit = Extract<VisitOutcome, { state: 'passed' }>

/** [Note: No reason] Only the operator learns the reason for a failed visit. The site learns that it failed. */
const denied = { error: 'access_denied' } as const
const unmet = { error: 'unmet_authentication_requirements' } as const
/** The person is not the one that the site named. */
const another = { error: 'login_required' } as const

/** Redirects the browser to the visit's page. @returns its address @throws {SignInOver} */
export async function beginVisit(
  provider: Provider,
  visits: Visits,
  environment: Environment,
  { req, res, address }: BrowserRequest,
): Promise<string> {
  const interaction = await findInteraction(provider, req, res)
  const returnUrl = `${provider.issuer}/visit/${interaction.uid}/done`
  const { cid: browser, parJti: id } = interaction as Interaction & PushedInteraction
  const pushed = id === undefined ? undefined : { id, browser }
  return visits.begin({ ...askedIn(interaction, environment), pushed, returnUrl, address })
}

/** Redirects the browser back: to the page if the visit is not over, or to the site. @returns the address @throws like `beginVisit` */
export async function endVisit(
  provider: Provider,
  visits: Visits,
  environment: Environment,
  { req, res }: BrowserRequest,
): Promise<string> {
  const interaction = await findInteraction(provider, req, res)
  const standing = await visits.end(askedIn(interaction, environment))
  if (standing.state === 'open') return `${provider.issuer}/visit/${interaction.uid}`
  const result = standing.state === 'failed' ? denied : await composeResult(provider, interaction, standing)
  return provider.interactionResult(req, res, result, { mergeWithLastSubmission: false })
}

/** Members that the library's types omit. `cid` stays the same when a browser restarts a sign-in; `parJti` is the pushed request. */
interface PushedInteraction {
  readonly cid: string
  readonly parJti?: string
}

/** The sign-in that the browser's cookie names. */
async function findInteraction(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Interaction> {
  try {
    return await provider.interactionDetails(req, res)
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SessionNotFound') throw error
    throw new SignInOver('invalid_request', 'this browser did not begin this sign-in, or it is over')
  }
}

function askedIn(
  { uid, params }: Interaction,
  environment: Environment,
): Omit<AskedVisit, 'pushed' | 'returnUrl' | 'address'> {
  const scopes = new Set(textIn(params, 'scope')?.split(' '))
  return {
    environment,
    uid,
    clientId: textIn(params, 'client_id') ?? '',
    scopes,
    loginHint: scopes.has('match') ? textIn(params, 'login_hint') : undefined,
    // The list may be as long as the request, so only a language that the page supports is stored.
    locale: firstKnownTag(pageLanguages, [textIn(params, 'ui_locales') ?? null]) ?? null,
  }
}

async function composeResult(provider: Provider, { params }: Interaction, passed: PassedVisit) {
  const { record, sub } = passed
  const acr = acrReached(acrWishOf(params), wholeResult(record.outcome!.result).assurance)
  if (acr === undefined) return unmet
  if (wantedSubjects(params).some((wanted) => wanted !== sub)) return another
  const ts = Math.floor((record.completedAt ?? record.created) / 1000)
  const grantId = await grant(provider, passed, params)
  return { login: { accountId: sub, acr, amr: ['face'], ts, remember: false }, consent: { grantId } }
}

/** On the page, the person consented to everything requested. Claims that the client may not learn are never included. */
async function grant(
  provider: Provider,
  { sub, record }: PassedVisit,
  params: Interaction['params'],
): Promise<string> {
  const made = new provider.Grant({ accountId: sub, clientId: textIn(params, 'client_id')! })
  made.addOIDCScope(textIn(params, 'scope') ?? '')
  const claims = JSON.parse(textIn(params, 'claims') ?? '{}') as Readonly<Record<string, object | null>>
  made.addOIDCClaims(Object.values(claims).flatMap((asked) => Object.keys(asked ?? {})))
  // [Note: A grant is a session]
  made.jti = record.sessionId
  return made.save()
}

/** The persons whom the site expects, by an earlier ID token or by name. */
function wantedSubjects(params: Interaction['params']): unknown[] {
  const claims = JSON.parse(textIn(params, 'claims') ?? '{}') as {
    id_token?: { sub?: { value?: unknown } | null }
  }
  const named = claims.id_token?.sub?.value
  const hint = textIn(params, 'id_token_hint')
  // The provider verified its signature before the person saw a page.
  const hinted = hint ? decodeJwt(hint).sub : undefined
  return [named, hinted].filter((subject) => subject !== undefined && subject !== '')
}

function textIn(params: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = params[name]
  return typeof value === 'string' ? value : undefined
}
