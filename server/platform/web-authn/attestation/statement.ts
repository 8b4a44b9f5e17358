import { createHash, X509Certificate } from 'node:crypto'
import {
  type cose,
  decodeAttestationObject,
  isoCBOR,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers'

/** More certificates than any manufacturer sends. */
const longestChain = 8

/** The attestation statement that a device made for a new passkey. */
export interface Statement {
  readonly format: string
  /** From the device's own certificate to the one nearest to a root; empty for self attestation or none. */
  readonly chain: readonly X509Certificate[]
  /** True if the passkey may be copied to other devices. */
  readonly isSynced: boolean
  /** The TPM's description of the key; only present for `tpm`. */
  readonly publicArea: unknown
  readonly signed: SignedStatement
}

/** A statement's signed part, and the signature algorithm. */
export interface SignedStatement {
  readonly signature: Uint8Array<ArrayBuffer>
  readonly algorithm: cose.COSEALG
  readonly signedData: Uint8Array<ArrayBuffer>
  readonly clientDataHash: Buffer
  readonly credentialPublicKey: Uint8Array
}

/** A registration as WebAuthn encodes it in JSON. Its content is untrusted. */
export interface Registration {
  readonly response: { readonly attestationObject: string; readonly clientDataJSON: string }
}

type CborValue = Parameters<typeof isoCBOR.encode>[0]

/**
 * Removes the attestation statement from a registration. [Note: Unasked statements are not read] The library would fetch
 * addresses that a crafted statement names.
 * @throws if there is no attestation object
 */
export function withoutStatement<T extends Registration>(registration: T): T {
  const { response } = registration
  const object = new Map<string, CborValue>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', decoded(response.attestationObject).get('authData')],
  ])
  const attestationObject = Buffer.from(isoCBOR.encode(object)).toString('base64url')
  return { ...registration, response: { ...response, attestationObject } }
}

/** @throws if it is malformed */
export function statementOf({ response }: Registration): Statement {
  const object = decoded(response.attestationObject)
  const authData = object.get('authData')
  const { flags, credentialPublicKey } = parseAuthenticatorData(authData)
  const words = object.get('attStmt') as ReadonlyMap<string, unknown>
  if (!(words instanceof Map) || credentialPublicKey === undefined) throw new Error('No statement')
  const clientDataHash = createHash('sha256')
    .update(Buffer.from(response.clientDataJSON, 'base64url'))
    .digest()
  return {
    format: object.get('fmt'),
    chain: chainOf(words.get('x5c')),
    isSynced: flags.be || flags.bs,
    publicArea: words.get('pubArea'),
    signed: {
      signature: words.get('sig') as SignedStatement['signature'],
      algorithm: words.get('alg') as SignedStatement['algorithm'],
      signedData: new Uint8Array(Buffer.concat([authData, clientDataHash])),
      clientDataHash,
      credentialPublicKey,
    },
  }
}

function decoded(attestationObject: string) {
  return decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
}

function chainOf(x5c: unknown): X509Certificate[] {
  if (x5c === undefined) return []
  if (!Array.isArray(x5c) || x5c.length === 0 || x5c.length > longestChain) throw new Error('No chain')
  return x5c.map((bytes) => new X509Certificate(bytes as Uint8Array))
}
