import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { problemBodyOf } from '#server/platform/http/responses/problems.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { Problem } from '#shared/problem.ts'
import { AlreadyConsumed, type EntityStore } from './adapter.ts'
import { acrValues, refuseClaims } from './assurance.ts'
import { claimsOfScopes } from './claims.ts'
import { isSecretOf, type KeptSecret } from './clients/client-secrets.ts'
import type { ClientStore, OpenidClient } from './clients/client-store.ts'
import { type ErrorKind, errorPage } from './pages/error-page.ts'
import type { SigningJwk } from './keys.ts'
import { lifetimes } from './lifetimes.ts'
import { createOpenings, type Openings } from './limits/openings.ts'
import { limitedParameters } from './limits/request-limits.ts'
import { createPolicy } from './protocol/policy.ts'
import type { RefuseRequest } from './request-rules.ts'
import { isTrial } from './clients/trials.ts'
import type { VisitStore } from './visit-store.ts'

type Library = typeof import('oidc-provider')

/** What one issuer is made of. */
export interface IssuerParts {
  readonly library: Library
  readonly issuer: string
  readonly environment: Environment
  readonly jwks: readonly SigningJwk[]
  readonly keyRing: KeyRing
  readonly entities: EntityStore
  /** A client of this issuer that can be used; undefined for every other. */
  readonly usableClient: ClientStore['find']
  readonly refuse: RefuseRequest
  readonly visitStore: Pick<VisitStore, 'ended'>
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
}

const off = { enabled: false } as const
const on = { enabled: true } as const

/** Code with PKCE, and nothing else that the library can do. */
const features = {
  devInteractions: off,
  dPoP: off,
  resourceIndicators: off,
  rpInitiatedLogout: off,
  requestObjects: off,
  introspection: off,
  revocation: on,
  userinfo: on,
  pushedAuthorizationRequests: { enabled: true, allowUnregisteredRedirectUris: false },
} satisfies Configuration['features']

/** Makes the provider of one issuer, and the counter of its openings. */
export function createIssuer(parts: IssuerParts): { provider: Provider; openings: Openings } {
  const { library, issuer, onFailure } = parts
  const openings = createOpenings(() => library.Provider.ctx)
  const provider = new library.Provider(issuer, configurationOf(parts, openings))
  // The headers that say where it is are set by ourselves, from our own address; see `under`.
  provider.proxy = true
  provider.use(withoutSession)
  provider.use(withOurPages)
  provider.on('server_error', (ctx, error) => {
    if (error instanceof Problem) problems.set(ctx.req, error)
    else onFailure(error)
  })
  ;(provider as NodeJS.EventEmitter).on('error', onFailure)
  provider.Client.prototype.compareClientSecret = function compare(this: unknown, given: string) {
    const { secrets } = this as { readonly secrets?: readonly KeptSecret[] }
    return isSecretOf(secrets ?? [], given, parts.now())
  } as never
  return { provider, openings }
}

function configurationOf(parts: IssuerParts, openings: Openings): Configuration {
  const { library, environment, jwks, keyRing, visitStore } = parts
  const cookie = { httpOnly: true, signed: true, overwrite: true } as const
  return {
    adapter: adapterOf(parts, openings),
    jwks: { keys: [...jwks] as never },
    features: {
      ...features,
      claimsParameter: {
        enabled: true,
        assertClaimsParameter: (_ctx, claims) => refuseClaims(library.errors, { ...claims }),
      },
    },
    claims: { ...claimsOfScopes, age_estimate: null },
    scopes: ['openid', 'face', 'age', 'match'],
    acrValues: [...acrValues],
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    // Everything is in the ID token too: a site need not ask a second time.
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    enableHttpPostMethods: true,
    clientBasedCORS: mayCallFrom,
    extraClientMetadata: { properties: ['secrets'] },
    extraParams: limitedParameters(library.errors),
    routes: { pushed_authorization_request: '/par', revocation: '/revoke', userinfo: '/userinfo' },
    discovery: { response_modes_supported: ['query'], claims_supported: supportedClaims },
    cookies: {
      names: { session: 'openid_none', interaction: 'openid_visit', resume: 'openid_resume' },
      short: { ...cookie, sameSite: 'lax' },
      long: { ...cookie, sameSite: 'none' },
      keys: [keyRing.derive(`openid-cookies:${environment}`).toString('base64url')],
    },
    ttl: { ...lifetimes },
    expiresWithSession: () => false,
    interactions: {
      policy: createPolicy(library.interactionPolicy, parts.refuse),
      url: (_ctx, { uid }) => `${new URL(parts.issuer).pathname}/visit/${uid}`,
    },
    // [Note: A grant is a session] Codes and tokens name their grant, and a grant has the id of its session: what of a visit was kept, and
    // erased, is found by it. The library asks once before there is a token, for nothing but the name.
    async findAccount(ctx, sub, token) {
      if (token === undefined) return { accountId: sub, claims: () => ({ sub }) }
      const visit = await visitStore.ended((token as { readonly grantId?: string }).grantId ?? '')
      const isItsOwn = visit?.sub === sub && visit.clientId === ctx.oidc.client?.clientId
      return isItsOwn ? { accountId: sub, claims: () => ({ ...visit.claims, sub }) } : undefined
    },
    renderError(ctx, { error }) {
      showPage(ctx, error === 'invalid_request' && isExpired(ctx) ? 'expired' : 'refused', error)
    },
  }
}

const ourPages = new WeakSet<KoaContextWithOIDC['req']>()

function showPage(ctx: KoaContextWithOIDC, kind: ErrorKind, code: string): void {
  ourPages.add(ctx.req)
  ctx.type = 'html'
  ctx.body = errorPage(kind, code, languagesOf(ctx))
}

/** [Note: No form] The library answers `response_mode=form_post` by a page whose script our headers stop: the person would be shown an empty one. */
async function withOurPages(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  const problem = problems.get(ctx.req)
  if (problem !== undefined) {
    answerProblem(ctx, problem)
    return
  }
  const isPage = Boolean(ctx.response.is('html')) && !ctx.response.get('Location')
  if (isPage && !ourPages.has(ctx.req)) showPage(ctx, 'refused', 'invalid_request')
}

/** Requests that failed for a reason outside of the protocol: a limit, or a full store. */
const problems = new WeakMap<KoaContextWithOIDC['req'], Problem>()

/** [Note: A problem keeps its status] The library would answer a problem from our store as an internal error, a 500. */
function answerProblem(ctx: KoaContextWithOIDC, problem: Problem): void {
  const { code, status, retryAfterInSeconds } = problem
  ctx.status = status
  if (retryAfterInSeconds !== undefined) ctx.set('Retry-After', String(retryAfterInSeconds))
  if (ctx.oidc.route === 'authorization' || ctx.oidc.route === 'resume') {
    showPage(ctx, status === 429 ? 'tooMany' : 'refused', code)
  } else {
    ctx.body = JSON.stringify(problemBodyOf(problem, String(ctx.res.getHeader('X-Request-Id'))))
    ctx.type = 'application/problem+json'
  }
}

const supportedClaims = [
  ...new Set(Object.values(claimsOfScopes).flat()),
  'age_estimate',
  'acr',
  'amr',
  'auth_time',
]

/** Which pages may redeem a code: those of a client without a server, and the console for a stand-in, which is its own page. */
function mayCallFrom(
  { oidc }: KoaContextWithOIDC,
  origin: string,
  client: InstanceType<Provider['Client']>,
): boolean {
  const isOfPage = client.clientAuthMethod === 'none' || isTrial(client.clientId)
  if (oidc.route !== 'userinfo' && !isOfPage) return false
  return client.redirectUris?.some((address) => new URL(address).origin === origin) ?? false
}

/** Whoever comes back to a sign-in that is over. */
function isExpired(ctx: Pick<KoaContextWithOIDC, 'path'>): boolean {
  return ctx.path.startsWith('/auth/')
}

/** Those that the site wants come before those of the browser. */
function languagesOf(ctx: KoaContextWithOIDC): readonly string[] {
  const wanted = ctx.oidc?.params?.ui_locales
  return [...(typeof wanted === 'string' ? wanted.split(' ') : []), ...ctx.acceptsLanguages()]
}

/** Clients come from our own records; no session is kept; the rest is in the store. */
function adapterOf(
  { library, entities, usableClient }: IssuerParts,
  openings: Openings,
): Configuration['adapter'] {
  return (model: string) => {
    if (model === 'Session')
      return { ...entities(model), upsert: async () => undefined, find: async () => undefined }
    if (model === 'AuthorizationCode') return codesOnce(entities, library)
    if (model === 'PushedAuthorizationRequest') return openings.counted(model, pushedOnce(entities, library))
    if (model === 'Interaction') return openings.counted(model, entities(model))
    if (model !== 'Client') return entities(model)
    return {
      ...entities(model),
      async find(clientId: string) {
        const client = await usableClient(clientId)
        return client && metadataOf(client, library.Provider.ctx?.get('Authorization') ?? '')
      },
    }
  }
}

/** [Note: A secret by either way] In the header or in the body, whichever the client sends; the library knows one of them for each client. */
function metadataOf(client: OpenidClient, authorization: string) {
  const method = /^basic /i.test(authorization) ? 'client_secret_basic' : 'client_secret_post'
  return {
    client_id: client.clientId,
    client_name: client.name,
    redirect_uris: [...client.redirectUris],
    grant_types: ['authorization_code'],
    response_types: ['code' as const],
    response_modes: ['query'],
    id_token_signed_response_alg: 'RS256' as const,
    require_auth_time: true,
    token_endpoint_auth_method: client.isPublic ? ('none' as const) : (method as 'client_secret_post'),
    ...(client.isPublic ? {} : { client_secret: 'only its digest is kept', secrets: client.secrets }),
  }
}

/** No cookie of a session, for there is none. */
async function withoutSession(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  const cookies = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String)
  const kept = cookies.filter((cookie) => !cookie.startsWith('openid_none'))
  if (kept.length === 0) ctx.remove('Set-Cookie')
  else ctx.set('Set-Cookie', kept)
}

/** [Note: A code works once] Of two at once the second ends what the first one got, as one that comes later does. */
function codesOnce(entities: EntityStore, { errors }: Library) {
  const codes = entities('AuthorizationCode')
  return {
    ...codes,
    async consume(id: string) {
      try {
        await codes.consume(id)
      } catch (error) {
        if (!(error instanceof AlreadyConsumed)) throw error
        const { grantId } = (await codes.find(id)) ?? {}
        if (grantId !== undefined) await endGrant(entities, grantId)
        throw new errors.InvalidGrant('authorization code already consumed')
      }
    },
  }
}

async function endGrant(entities: EntityStore, grantId: string): Promise<void> {
  await entities('AuthorizationCode').revokeByGrantId(grantId)
  await entities('Grant').destroy(grantId)
}

function pushedOnce(entities: EntityStore, { errors }: Library) {
  const pushed = entities('PushedAuthorizationRequest')
  return {
    ...pushed,
    consume: (id: string) =>
      pushed.consume(id).catch((error: unknown) => {
        throw error instanceof AlreadyConsumed
          ? new errors.InvalidRequestUri('request_uri was already used')
          : error
      }),
  }
}
