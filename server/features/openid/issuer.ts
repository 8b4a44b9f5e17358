import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Environment } from '#shared/contract/environment.ts'
import { Problem } from '#shared/problem.ts'
import { type EntityStore, visitOf } from './adapter.ts'
import { acrValuesOf, refuseClaims } from './assurance.ts'
import { claimsOfScopes } from './claims.ts'
import { isSecretOf, type KeptSecret } from './clients/client-secrets.ts'
import type { ClientStore, OpenidClient } from './clients/client-store.ts'
import { isRedirectAllowed, withoutLoopbackPort } from './clients/loopback.ts'
import { isTrial } from './clients/trials.ts'
import type { SigningJwk } from './keys.ts'
import { lifetimes } from './lifetimes.ts'
import { createOpenings, type Openings } from './limits/openings.ts'
import { limitedParameters } from './limits/request-limits.ts'
import { discoveryOf, supported } from './protocol/discovery.ts'
import { createPolicy } from './protocol/policy.ts'
import { createRefusals, type Refusals } from './protocol/refusals.ts'
import { respondByQuery, withResponseModes } from './protocol/response-modes.ts'
import { answerProblem, respondByForm, showRefusal } from './protocol/shown-pages.ts'
import { codesOnce, pushedOnce } from './protocol/single-use.ts'
import type { RefuseRequest } from './request-rules.ts'
import type { VisitStore } from './visit-store.ts'

type Library = typeof import('oidc-provider')

/** The parts from which an issuer is built. */
export interface IssuerParts {
  readonly library: Library
  readonly issuer: string
  readonly environment: Environment
  readonly jwks: readonly SigningJwk[]
  readonly keyRing: KeyRing
  readonly entities: EntityStore
  /** One of this issuer's usable clients; undefined for any other client. */
  readonly usableClient: ClientStore['find']
  readonly refuse: RefuseRequest
  readonly visitStore: Pick<VisitStore, 'ended'>
  /** True if a visit can reach the `high` assurance level. */
  readonly canReachHigh: boolean
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
}

const off = { enabled: false } as const
const on = { enabled: true } as const

/** Enables only the code flow with PKCE. */
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

/** An issuer's provider, and its connections to our code. */
export interface Issuer {
  readonly provider: Provider
  readonly openings: Openings
  readonly refusals: Refusals
}

/** Creates an issuer's provider. */
export function createIssuer(parts: IssuerParts): Issuer {
  const { library, issuer, onFailure } = parts
  const openings = createOpenings(() => library.Provider.ctx)
  const OurProvider = withResponseModes(library, { query: respondByQuery, form_post: respondByForm })
  const provider = new OurProvider(issuer, configurationOf(parts, openings))
  // Trusts the headers about its address because our own code sets them; see `under`.
  provider.proxy = true
  provider.use(withoutSession)
  provider.use(withOurAnswers(parts))
  provider.on('server_error', (ctx, error) => {
    if (error instanceof Problem) problems.set(ctx.req, error)
    else onFailure(error)
  })
  ;(provider as NodeJS.EventEmitter).on('error', onFailure)
  Object.assign(provider.Client.prototype, clientRules(parts.now))
  return { provider, openings, refusals: createRefusals(provider) }
}

/** Decisions about the library's clients that depend on our records. */
function clientRules(now: () => number) {
  type Client = InstanceType<Provider['Client']> & { readonly secrets?: readonly KeptSecret[] }
  return {
    compareClientSecret(this: Client, given: string): boolean {
      return isSecretOf(this.secrets ?? [], given, now())
    },
    redirectUriAllowed(this: Client, address: string): boolean {
      return isRedirectAllowed(this.redirectUris ?? [], this.clientAuthMethod === 'none', address)
    },
  }
}

function configurationOf(parts: IssuerParts, openings: Openings): Configuration {
  const { library, environment, jwks, keyRing, visitStore } = parts
  const cookie = { httpOnly: true, signed: true, overwrite: true } as const
  return {
    adapter: adapterOf(parts, openings),
    jwks: { keys: [...jwks] },
    features: {
      ...features,
      claimsParameter: {
        enabled: true,
        assertClaimsParameter: (_ctx, claims) => refuseClaims(library.errors, { ...claims }),
      },
    },
    claims: { ...claimsOfScopes, age_estimate: null },
    scopes: [...supported.scopes],
    acrValues: [...acrValuesOf(parts.canReachHigh)],
    responseTypes: [...supported.responseTypes],
    // Names already differ between sites when the library receives them, so it does not need to derive anything.
    subjectTypes: ['public'],
    clientAuthMethods: [...supported.clientAuthMethods],
    enabledJWA: { idTokenSigningAlgValues: [...supported.idTokenAlgorithms] },
    pkce: { required: () => true },
    // The ID token contains all claims, so that a site does not need a second request.
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    enableHttpPostMethods: true,
    clientBasedCORS: mayCallFrom,
    extraClientMetadata: { properties: ['secrets'] },
    extraParams: limitedParameters(library.errors),
    routes: { pushed_authorization_request: '/par', revocation: '/revoke', userinfo: '/userinfo' },
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
      url: (_ctx, { uid }) => visitPathOf(parts.issuer, uid),
    },
    // [Note: A grant is a session] Codes and tokens name their grant, which has its session's ID, so that a visit's stored data
    // can be found and erased. The library calls this once before there is a token, just for the name.
    async findAccount(ctx, sub, token) {
      if (token === undefined) return { accountId: sub, claims: () => ({ sub }) }
      const visit = await visitStore.ended((token as { readonly grantId?: string }).grantId ?? '')
      const isItsOwn = visit?.sub === sub && visit.clientId === ctx.oidc.client?.clientId
      return isItsOwn ? { accountId: sub, claims: () => ({ ...visit.claims, sub }) } : undefined
    },
    async renderError(ctx, { error, error_description: description }) {
      if (error === 'invalid_request_uri' && (await leadToVisit(ctx, parts))) return
      const kind = error === 'invalid_request' && isExpired(ctx) ? 'expired' : 'refused'
      showRefusal(ctx, kind, { code: error, description })
    },
  }
}

function visitPathOf(issuer: string, uid: string): string {
  return `${new URL(issuer).pathname}/visit/${uid}`
}

/**
 * Redirects a used `request_uri` to its visit. [Note: A pushed request goes on in its browser] The browser that began the
 * visit has its cookie and continues. Any other browser is shown that the sign-in is over. Returns false if the request has
 * no visit.
 */
async function leadToVisit(
  ctx: KoaContextWithOIDC,
  { entities, issuer }: Pick<IssuerParts, 'entities' | 'issuer'>,
): Promise<boolean> {
  const id = String(ctx.oidc.params?.request_uri).split(':').at(-1)!
  const pushed = await entities('PushedAuthorizationRequest').find(id)
  const visit = pushed && visitOf(pushed)
  if (!visit) return false
  ctx.status = 303
  ctx.set('Location', visitPathOf(issuer, visit.uid))
  ctx.body = ''
  return true
}

/** Requests that failed for a reason outside the protocol, such as a limit or a full store. */
const problems = new WeakMap<KoaContextWithOIDC['req'], Problem>()

/** Replaces some of the library's responses: problems, and its discovery document. */
function withOurAnswers({ canReachHigh }: Pick<IssuerParts, 'canReachHigh'>) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    const problem = problems.get(ctx.req)
    if (problem !== undefined) answerProblem(ctx, problem)
    else if (ctx.oidc?.route === 'discovery') ctx.body = discoveryOf(ctx.oidc, canReachHigh)
  }
}

/** Origins of pages that may redeem a code: a serverless client's own, and the console's for a trial. */
function mayCallFrom(
  { oidc }: KoaContextWithOIDC,
  origin: string,
  client: InstanceType<Provider['Client']>,
): boolean {
  const isOfPage = client.clientAuthMethod === 'none' || isTrial(client.clientId)
  if (oidc.route !== 'userinfo' && !isOfPage) return false
  const originsOf = (address: string) => (isOfPage ? withoutLoopbackPort(address) : address)
  return client.redirectUris?.some((one) => originsOf(new URL(one).origin) === originsOf(origin)) ?? false
}

/** True if the browser returns to a sign-in that is over. */
function isExpired(ctx: Pick<KoaContextWithOIDC, 'path'>): boolean {
  return ctx.path.startsWith('/auth/')
}

/** Clients come from our records, sessions are not stored, and everything else is in the store. */
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

/**
 * [Note: A secret by either way] A client may send its secret in the header or in the body. The library supports only one
 * method per client, so the request's method is used.
 */
function metadataOf(client: OpenidClient, authorization: string) {
  const method = /^basic /i.test(authorization) ? 'client_secret_basic' : 'client_secret_post'
  return {
    client_id: client.clientId,
    client_name: client.name,
    redirect_uris: [...client.redirectUris],
    grant_types: [...supported.grantTypes],
    response_types: [...supported.responseTypes],
    response_modes: [...supported.responseModes],
    id_token_signed_response_alg: supported.idTokenAlgorithms[0],
    require_auth_time: true,
    token_endpoint_auth_method: client.isPublic ? ('none' as const) : (method as 'client_secret_post'),
    ...(client.isPublic ? {} : { client_secret: 'only its digest is kept', secrets: client.secrets }),
  }
}

/** Prevents a session cookie, because there are no sessions. */
async function withoutSession(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  const cookies = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String)
  const kept = cookies.filter((cookie) => !cookie.startsWith('openid_none'))
  if (kept.length === 0) ctx.remove('Set-Cookie')
  else ctx.set('Set-Cookie', kept)
}
