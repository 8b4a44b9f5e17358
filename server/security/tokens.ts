import { type KeyObject, randomUUID, sign } from 'node:crypto'
import { type JWTHeaderParameters, jwtVerify } from 'jose'
import type { Clock } from '#server/store/store.ts'
import type { Scope } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
import type { TokenKeys } from './token-keys.ts'

const algorithm = 'ES256'
const accessType = 'at+jwt'
const sessionType = 'session+jwt'
const clockSkewInSeconds = 5
const refusedHeaders = ['jku', 'jwk', 'x5u', 'x5c', 'crit'] as const

export interface AccessClaims {
  accountId: string
  keyId: string
  scopes: Scope[]
}

/** What a bearer says, with its own id. */
export interface ReadClaims extends AccessClaims {
  tokenId: string
}

export interface SessionClaims {
  accountId: string
  sessionId: string
  /** 0 for the device that opened the session, and one more for each that took it over. */
  device: number
}

/** Signs and reads the two kinds of token. What cannot be read in every detail is undefined: there is no half trust. */
export interface Tokens {
  issueAccess(claims: AccessClaims, expiresAt: number): Promise<string>
  issueSession(claims: SessionClaims, expiresAt: number): Promise<string>
  readAccess(token: string): Promise<ReadClaims | undefined>
  readSession(token: string): Promise<SessionClaims | undefined>
}

interface Dependencies {
  keys: TokenKeys
  region: Region
  /** The address of the security service. */
  issuer: () => string
  now: Clock
}

export function createTokens({ keys, region, issuer, now }: Dependencies): Tokens {
  async function issue(type: string, subject: string, claims: Record<string, unknown>, expiresAt: number) {
    const key = await keys.current()
    return signed(
      { alg: algorithm, kid: key.kid, typ: type },
      {
        ...claims,
        iss: issuer(),
        aud: region,
        sub: subject,
        jti: randomUUID(),
        iat: Math.floor(now() / 1000),
        exp: Math.floor(expiresAt / 1000),
      },
      key.privateKey,
    )
  }

  async function publicKey(header: JWTHeaderParameters) {
    if (refusedHeaders.some((name) => name in header)) throw new Error('refused header')
    const key = await keys.find(header.kid ?? '')
    if (key === undefined) throw new Error('unknown key')
    return key
  }

  async function read(type: string, token: string): Promise<Record<string, unknown> | undefined> {
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: [algorithm],
        typ: type,
        issuer: issuer(),
        audience: region,
        clockTolerance: clockSkewInSeconds,
        currentDate: new Date(now()),
        requiredClaims: ['iss', 'aud', 'sub', 'jti', 'iat', 'exp'],
      })
      return payload
    } catch (error) {
      // That the store cannot be asked for a key says nothing about the token.
      if (error instanceof Problem) throw error
      return undefined
    }
  }

  return {
    issueAccess: ({ accountId, keyId, scopes }, expiresAt) =>
      issue(accessType, accountId, { key: keyId, scope: scopes.join(' ') }, expiresAt),
    issueSession: ({ accountId, sessionId, device }, expiresAt) =>
      issue(sessionType, accountId, { sid: sessionId, device }, expiresAt),
    async readAccess(token) {
      const claims = await read(accessType, token)
      if (claims === undefined || typeof claims.key !== 'string' || typeof claims.scope !== 'string')
        return undefined
      const scopes = claims.scope.split(' ') as Scope[]
      return { accountId: String(claims.sub), keyId: claims.key, scopes, tokenId: String(claims.jti) }
    },
    async readSession(token) {
      const claims = await read(sessionType, token)
      if (claims === undefined || typeof claims.sid !== 'string') return undefined
      if (typeof claims.device !== 'number') return undefined
      return { accountId: String(claims.sub), sessionId: claims.sid, device: claims.device }
    },
  }
}

/**
 * [Note: Signed at once] The compact form of RFC 7515. Signing takes less time than handing the work to another thread
 * and back, which is what the platform's asynchronous interface does.
 */
function signed(header: object, claims: object, key: KeyObject): string {
  const message = `${encoded(header)}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(message), { key, dsaEncoding: 'ieee-p1363' })
  return `${message}.${signature.toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
