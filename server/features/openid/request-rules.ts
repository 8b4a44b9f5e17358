import type { errors, KoaContextWithOIDC } from 'oidc-provider'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { externalIdMaximum } from '#shared/contract/identity.ts'
import { canonicalIdentity, codePointsOf, isIdentityText } from '#shared/identity/identity-text.ts'
import { acrWishOf, canBeMet } from './assurance.ts'
import type { ClientStore, OpenidClient } from './clients/client-store.ts'

type Errors = typeof errors

interface Dependencies {
  readonly clients: Pick<ClientStore, 'find'>
  readonly verifications: Pick<Verifications, 'find'>
  readonly canReachHigh: boolean
}

/**
 * Refuses authorization requests by our own rules before a person sees a page. Resumed requests have already been checked.
 * @throws {OIDCProviderError} which the site receives
 */
export type RefuseRequest = (ctx: KoaContextWithOIDC) => Promise<void>

export function createRefuseRequest(errors: Errors, services: Dependencies): RefuseRequest {
  const { clients, verifications, canReachHigh } = services
  return async ({ oidc }) => {
    const params = (oidc.params ?? {}) as Readonly<Record<string, unknown>>
    const client = await clients.find(oidc.client!.clientId)
    const found = client && (await verifications.find(client.accountId, client.verificationId))
    if (client === undefined || found === undefined) throw new errors.InvalidClient('client is invalid')
    const scopes = new Set(String(params.scope ?? '').split(' '))
    const isPushed = oidc.entities.PushedAuthorizationRequest !== undefined
    if (scopes.has('match')) refuseMatch(errors, client, params.login_hint, isPushed)
    refuseUnfit(errors, client, scopes, found.verificationConfig)
    if (!canBeMet(acrWishOf(params), canReachHigh)) {
      throw new errors.UnmetAuthenticationRequirements('the requested acr is not one of acr_values_supported')
    }
  }
}

/**
 * [Note: Who is meant is pushed] Anyone who forwards an address could replace the external ID in it, and a client without a
 * secret could name any person.
 */
function refuseMatch(errors: Errors, client: OpenidClient, hint: unknown, isPushed: boolean): void {
  if (client.isPublic) throw new errors.UnauthorizedClient('a public client may not ask for match')
  if (!isPushed) throw new errors.InvalidRequest('match needs a pushed authorization request')
  if (typeof hint !== 'string' || !isExternalId(hint))
    throw new errors.InvalidRequest('match needs login_hint, the external id of the person')
}

function isExternalId(text: string): boolean {
  return text !== '' && isIdentityText(text) && codePointsOf(canonicalIdentity(text)) <= externalIdMaximum
}

/** Refuses requests that the verification cannot answer, so that claims are never omitted silently. */
function refuseUnfit(
  errors: Errors,
  client: OpenidClient,
  scopes: ReadonlySet<string>,
  config: VerificationConfig,
): void {
  const found = misfitOf(client, scopes, config)
  if (found !== undefined) throw new errors.InvalidScope(found.words, found.scope)
}

/** The reason that a verification cannot answer the request; undefined if it can. */
export function misfitOf(
  client: Pick<OpenidClient, 'ageThresholds' | 'mayAskAgeEstimate'>,
  scopes: ReadonlySet<string>,
  config: VerificationConfig,
): { readonly words: string; readonly scope: 'age' | 'match' } | undefined {
  if (comparesPeople(config) !== scopes.has('match')) {
    const words = scopes.has('match')
      ? 'the verification of the client does not compare with a known person'
      : 'the verification of the client compares with a known person: ask for match'
    return { words, scope: 'match' }
  }
  if (!scopes.has('age')) return undefined
  if (!estimatesAges(config))
    return { words: 'the verification of the client estimates no age', scope: 'age' }
  return mayAskAges(client) ? undefined : { words: 'the client may ask about no age', scope: 'age' }
}

/** All scopes that a client may request at once. */
export function fitScopes(client: OpenidClient, config: VerificationConfig): readonly string[] {
  return [
    'openid',
    'face',
    ...(estimatesAges(config) && mayAskAges(client) ? ['age'] : []),
    ...(comparesPeople(config) ? ['match'] : []),
  ]
}

/** True if a face is compared with the one enrolled under the visit's external ID. */
export function comparesPeople({ verifierConfigs }: Pick<VerificationConfig, 'verifierConfigs'>): boolean {
  const type = verifierConfigs?.faceRecognition?.type
  return type === 'MatchVerification' || type === 'UniqueMatchVerification'
}

function estimatesAges({ verifierConfigs }: VerificationConfig): boolean {
  return (verifierConfigs?.age?.type ?? 'Disabled') !== 'Disabled'
}

function mayAskAges({
  ageThresholds,
  mayAskAgeEstimate,
}: Pick<OpenidClient, 'ageThresholds' | 'mayAskAgeEstimate'>): boolean {
  return ageThresholds.length > 0 || mayAskAgeEstimate
}
