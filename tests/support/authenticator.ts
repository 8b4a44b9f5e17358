import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
} from 'node:crypto'

type Options = Readonly<Record<string, unknown>>

/** How an answer deviates from the norm. */
export interface Otherwise {
  challenge?: string
  origin?: string
  /** The page that frames the page at `origin`. */
  topOrigin?: string
  rpId?: string
  flags?: number
  counter?: number
  /** The attachment of the device that uses the passkey; defaults to the visit's device. */
  attachment?: 'platform' | 'cross-platform' | undefined
}

/** The origin of the pages that these devices create passkeys for. */
export const pages = 'https://check.example'

const flags = { present: 1, verified: 4, hasCredential: 64 }

/** A device and its passkey, as JSON. */
export interface StoredAuthenticator {
  readonly id: string
  readonly privateKey: JsonWebKey
  /** How often it has used the passkey. */
  readonly uses: number
}

/** A device that creates and uses one passkey as defined in WebAuthn Level 2: ES256, no attestation. */
export function newAuthenticator(
  pages: string,
  aaguid: Uint8Array = Buffer.alloc(16),
  stored?: StoredAuthenticator,
) {
  const { privateKey, publicKey } = stored === undefined ? newKeys() : keysOf(stored)
  const id = stored === undefined ? randomBytes(16) : Buffer.from(stored.id, 'base64url')
  let uses = stored?.uses ?? 0

  const clientData = (type: string, options: Options, { challenge, origin, topOrigin }: Otherwise) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: challenge ?? options.challenge,
        origin: origin ?? pages,
        ...(topOrigin === undefined ? { crossOrigin: false } : { crossOrigin: true, topOrigin }),
      }),
    )

  function dataOf(usual: number, otherwise: Otherwise): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(otherwise.counter ?? uses)
    const rpId = otherwise.rpId ?? new URL(pages).hostname
    return Buffer.concat([digest(Buffer.from(rpId)), Buffer.from([otherwise.flags ?? usual]), counter])
  }

  const answered = (response: Record<string, Buffer>, { attachment = 'platform' }: Otherwise) => ({
    id: text(id),
    authenticatorAttachment: attachment,
    rawId: text(id),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, text(bytes)])),
  })

  return {
    id: text(id),
    keys: { privateKey, publicKey },
    /** Lets another process continue with the same passkey. */
    stored: (): StoredAuthenticator => ({
      id: text(id),
      privateKey: privateKey.export({ format: 'jwk' }),
      uses,
    }),
    /** The passkey in its stored form after binding. */
    credential: {
      credentialId: text(id),
      publicKey: text(coseOf(publicKey.export({ format: 'jwk' }) as { x: string; y: string })),
      counter: 0,
      transports: [],
    },
    /** Answers the options from `bind`. */
    make(options: Options, otherwise: Otherwise = {}) {
      const usual = flags.present | flags.verified | flags.hasCredential
      const key = coseOf(publicKey.export({ format: 'jwk' }) as { x: string; y: string })
      const credential = Buffer.concat([aaguid, Buffer.from([0, id.length]), id, key])
      const data = Buffer.concat([dataOf(usual, otherwise), credential])
      return answered(
        {
          clientDataJSON: clientData('webauthn.create', options, otherwise),
          attestationObject: attestationOf(data),
        },
        otherwise,
      )
    },
    /** Answers the options from `verify`. */
    show(options: Options, otherwise: Otherwise = {}) {
      uses++
      const authenticatorData = dataOf(flags.present | flags.verified, otherwise)
      const clientDataJSON = clientData('webauthn.get', options, otherwise)
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticatorData, digest(clientDataJSON)]))
        .sign(privateKey)
      return answered({ clientDataJSON, authenticatorData, signature }, otherwise)
    },
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

function keysOf({ privateKey: key }: StoredAuthenticator) {
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** A CBOR map: kty EC2, alg ES256, crv P-256, x, y. */
function coseOf({ x, y }: { x: string; y: string }): Buffer {
  const number = (key: number, value: string) =>
    Buffer.concat([Buffer.from([key, 0x58, 32]), Buffer.from(value, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    number(0x21, x),
    number(0x22, y),
  ])
}

/** A CBOR map: fmt "none", attStmt {}, authData. */
function attestationOf(data: Buffer): Buffer {
  const name = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
  return Buffer.concat([
    Buffer.from([0xa3]),
    name('fmt'),
    name('none'),
    name('attStmt'),
    Buffer.from([0xa0]),
    name('authData'),
    Buffer.from([0x58, data.length]),
    data,
  ])
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}
