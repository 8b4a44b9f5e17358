import type { KoaContextWithOIDC } from 'oidc-provider'
import { acrValuesOf } from '#server/features/openid/assurance.ts'
import { claimsOfScopes } from '#server/features/openid/claims.ts'
import { pageLanguages } from '#shared/contract/configuration/words-by-language.ts'

/** Everything that clients may choose from. Discovery publishes these lists, and the library gets the configurable ones. */
export const supported = {
  scopes: ['openid', 'face', 'age', 'match'],
  claims: [...new Set([...Object.values(claimsOfScopes).flat(), 'age_estimate', 'auth_time', 'iss'])],
  responseTypes: ['code'],
  responseModes: ['query', 'form_post'],
  grantTypes: ['authorization_code'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  idTokenAlgorithms: ['RS256'],
  challengeMethods: ['S256'],
  prompts: ['none', 'login', 'consent'],
} as const

/**
 * The discovery document. [Note: Discovery is ours] The library's version lists response modes and claims regardless of its
 * configuration, and cannot be corrected.
 */
export function discoveryOf(oidc: KoaContextWithOIDC['oidc'], canReachHigh: boolean) {
  const urlFor = (route: string) => oidc.urlFor(route)
  return {
    issuer: oidc.issuer,
    authorization_endpoint: urlFor('authorization'),
    pushed_authorization_request_endpoint: urlFor('pushed_authorization_request'),
    token_endpoint: urlFor('token'),
    userinfo_endpoint: urlFor('userinfo'),
    revocation_endpoint: urlFor('revocation'),
    jwks_uri: urlFor('jwks'),
    scopes_supported: supported.scopes,
    claims_supported: supported.claims,
    claim_types_supported: ['normal'],
    claims_parameter_supported: true,
    acr_values_supported: acrValuesOf(canReachHigh),
    response_types_supported: supported.responseTypes,
    response_modes_supported: supported.responseModes,
    grant_types_supported: supported.grantTypes,
    prompt_values_supported: supported.prompts,
    // Each site gets a different name for the same person.
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: supported.idTokenAlgorithms,
    code_challenge_methods_supported: supported.challengeMethods,
    token_endpoint_auth_methods_supported: supported.clientAuthMethods,
    revocation_endpoint_auth_methods_supported: supported.clientAuthMethods,
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    ui_locales_supported: pageLanguages,
  }
}
