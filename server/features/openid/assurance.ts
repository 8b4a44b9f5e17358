import type { errors } from 'oidc-provider'
import { type Assurance, assurances } from '#shared/contract/configuration/check-settings.ts'

const beginning = 'urn:selfsame:assurance:'

/** Every `acr`, lowest first. */
const acrValues: readonly string[] = assurances.map(acrOf)

/** Every `acr` that a visit can reach, lowest first. `high` requires trusted device manufacturers. */
export function acrValuesOf(canReachHigh: boolean): readonly string[] {
  return canReachHigh ? acrValues : acrValues.filter((value) => value !== acrOf('high'))
}

function acrOf(assurance: Assurance): string {
  return `${beginning}${assurance}`
}

/** The requested values that are supported. */
function known(wanted: readonly string[]): string[] {
  return wanted.filter((value) => acrValues.includes(value))
}

/** An authorization request's `acr` requirements. */
export interface AcrWish {
  readonly values: readonly string[]
  /** True if one of the values must be reached. */
  readonly isEssential: boolean
}

/** @returns the values in `claims`, which take precedence over `acr_values` */
export function acrWishOf(params: Readonly<Record<string, unknown>>): AcrWish {
  const claim = acrClaimOf(params.claims)
  const asked = claim?.values ?? (claim?.value === undefined ? [] : [claim.value])
  if (asked.length > 0) return { values: asked.map(String), isEssential: claim?.essential === true }
  const listed = params.acr_values
  return { values: typeof listed === 'string' ? listed.split(' ') : [], isEssential: false }
}

interface AcrClaim {
  readonly essential?: unknown
  readonly value?: unknown
  readonly values?: readonly unknown[]
}

function acrClaimOf(claims: unknown): AcrClaim | undefined {
  if (typeof claims !== 'string') return undefined
  const { id_token: ofToken } = JSON.parse(claims) as { id_token?: { acr?: AcrClaim | null } }
  return ofToken?.acr ?? undefined
}

/** @throws {InvalidRequest} if a member of `claims` has an invalid form, since later code relies on it */
export function refuseClaims(
  { InvalidRequest }: Pick<typeof errors, 'InvalidRequest'>,
  claims: Readonly<Record<string, unknown>>,
): void {
  for (const place of ['userinfo', 'id_token']) {
    const members = Object.entries(claims[place] ?? {})
    if (!members.every(([, asked]) => isAsked(asked)))
      throw new InvalidRequest(`claims.${place} members must be null or objects`)
  }
  const { acr } = (claims.id_token ?? {}) as { acr?: AcrClaim | null }
  if (!isTextOrAbsent(acr?.value)) throw new InvalidRequest('claims.id_token.acr.value must be a string')
  const values: unknown = acr?.values
  if (values !== undefined && !(Array.isArray(values) && values.every((value) => typeof value === 'string')))
    throw new InvalidRequest('claims.id_token.acr.values must be an array of strings')
}

function isAsked(asked: unknown): boolean {
  return asked === null || (typeof asked === 'object' && !Array.isArray(asked))
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

/** True if a visit could meet the requirement. */
export function canBeMet({ values, isEssential }: AcrWish, canReachHigh: boolean): boolean {
  const reachable = acrValuesOf(canReachHigh)
  return !isEssential || values.some((value) => reachable.includes(value))
}

/**
 * The `acr` for a visit that reached `assurance`. Reaching a level includes all lower ones, so this is the highest requested
 * value that was reached. If none was requested or reached, it is the visit's own level. Undefined if an essential
 * value was not reached.
 */
export function acrReached({ values, isEssential }: AcrWish, assurance: Assurance): string | undefined {
  const level = acrValues.indexOf(acrOf(assurance))
  const reached = known(values)
    .map((value) => acrValues.indexOf(value))
    .filter((wanted) => wanted <= level)
  if (reached.length > 0) return acrValues[Math.max(...reached)]
  return isEssential ? undefined : acrValues[level]
}
