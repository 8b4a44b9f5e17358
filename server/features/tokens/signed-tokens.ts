import { randomUUID } from 'node:crypto'
import { type JWTHeaderParameters, jwtVerify } from 'jose'
import { isIssuedAhead } from '#server/platform/crypto/issued-at.ts'
import { encoded, refuseForeignKeys, signCompactJws } from '#server/platform/crypto/signed-token.ts'
import { getOrCreate } from '#server/platform/store/get-or-create.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { Environment } from '#shared/contract/environment.ts'
import type { Scope } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
import type { TokenKeys } from './token-keys.ts'

const algorithm = 'ES256'
const accessType = 'at+jwt'
const sessionType = 'session+jwt'
const kioskType = 'kiosk+jwt'
const clockSkewInSeconds = 5

/** Encoded token headers, one for each type and key. */
const headers = new Map<string, string>()
const mostHeaders = 100

export interface AccessClaims {
  accountId: string
  keyId: string
  scopes: Scope[]
}

/** A bearer token's claims, with its ID. */
export interface ReadClaims extends AccessClaims {
  tokenId: string
}

export interface SessionClaims {
  accountId: string
  sessionId: string
  /** 0 for the device that opened the session, incremented for each device that took it over. */
  device: number
}

export interface KioskClaims {
  accountId: string
  kioskId: string
}

/** Signs and reads the three kinds of token. A token that is not valid in every detail reads as undefined. */
export interface Tokens {
  /** Callers that have already read the account pass its environment; otherwise it is read here. */
  issueAccess(claims: AccessClaims, expiresAt: number, environment?: Environment): Promise<string>
  issueSession(claims: SessionClaims, expiresAt: number): Promise<string>
  issueKiosk(claims: KioskClaims, expiresAt: number): Promise<string>
  readAccess(token: string): Promise<ReadClaims | undefined>
  readSession(token: string): Promise<SessionClaims | undefined>
  readKiosk(token: string): Promise<KioskClaims | undefined>
}

interface Dependencies {
  keys: TokenKeys
  region: Region
  /** The security service's address. */
  issuer: () => string
  /** An account's environment; undefined for an unknown account. */
  environmentOf: (accountId: string) => Promise<Environment | undefined>
  now: Clock
}

export function createSignedTokens(services: Dependencies): Tokens {
  return {
    issueAccess: ({ accountId, keyId, scopes }, expiresAt, environment) =>
      issue(services, accessType, accountId, { key: keyId, scope: scopes.join(' ') }, expiresAt, environment),
    issueSession: ({ accountId, sessionId, device }, expiresAt) =>
      issue(services, sessionType, accountId, { sid: sessionId, device }, expiresAt),
    issueKiosk: ({ accountId, kioskId }, expiresAt) =>
      issue(services, kioskType, accountId, { kiosk: kioskId, scope: 'kiosk' }, expiresAt),
    async readAccess(token) {
      const claims = await read(services, accessType, token)
      if (claims === undefined || typeof claims.key !== 'string' || typeof claims.scope !== 'string')
        return undefined
      const scopes = claims.scope.split(' ') as Scope[]
      return { accountId: String(claims.sub), keyId: claims.key, scopes, tokenId: String(claims.jti) }
    },
    async readSession(token) {
      const claims = await read(services, sessionType, token)
      if (claims === undefined || typeof claims.sid !== 'string') return undefined
      if (typeof claims.device !== 'number') return undefined
      return { accountId: String(claims.sub), sessionId: claims.sid, device: claims.device }
    },
    async readKiosk(token) {
      const claims = await read(services, kioskType, token)
      if (claims === undefined || typeof claims.kiosk !== 'string') return undefined
      return { accountId: String(claims.sub), kioskId: claims.kiosk }
    },
  }
}

async function issue(
  { keys, region, issuer, environmentOf, now }: Dependencies,
  type: string,
  subject: string,
  claims: Record<string, unknown>,
  expiresAt: number,
  environment?: Environment,
): Promise<string> {
  const current = keys.current()
  const key = current instanceof Promise ? await current : current
  const common = {
    environment: environment ?? (await environmentOf(subject)),
    iss: issuer(),
    aud: region,
    sub: subject,
    jti: randomUUID(),
    iat: Math.floor(now() / 1000),
    exp: Math.floor(expiresAt / 1000),
  }
  const header = getOrCreate(headers, mostHeaders, `${type} ${key.kid}`, () =>
    encoded({ alg: algorithm, kid: key.kid, typ: type }),
  )
  return signCompactJws(header, Object.assign(common, claims), key.privateKey)
}

/** A token's claims, if this server issued it, it has this type, is valid now, and matches its account's environment. */
async function read(
  { keys, region, issuer, environmentOf, now }: Dependencies,
  type: string,
  token: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { payload } = await jwtVerify(token, (header) => findPublicKey(keys, header), {
      algorithms: [algorithm],
      typ: type,
      issuer: issuer(),
      audience: region,
      clockTolerance: clockSkewInSeconds,
      currentDate: new Date(now()),
      requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp'],
    })
    if (isIssuedAhead(payload.iat, now())) return undefined
    const { environment } = payload
    const isOfAccount = environment === (await environmentOf(String(payload.sub)))
    return isOfAccount && environment !== undefined ? payload : undefined
  } catch (error) {
    // A failure to read a key from the store says nothing about the token.
    if (error instanceof Problem) throw error
    return undefined
  }
}

async function findPublicKey(keys: TokenKeys, header: JWTHeaderParameters) {
  refuseForeignKeys(header)
  const key = await keys.find(header.kid ?? '')
  if (key === undefined) throw new Error('unknown key')
  return key.publicKey
}
