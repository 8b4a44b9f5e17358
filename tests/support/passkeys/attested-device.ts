import 'reflect-metadata'
import { createHash, createSign } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import { attested } from '#server/platform/web-authn/web-authn.ts'
import { newAuthenticator, type Otherwise, pages } from '../authenticator.ts'
import { type Certified, type DeviceMaker, newMaker, rootOf } from './makers.ts'

type Plain = ReturnType<typeof newAuthenticator>
type Answer = ReturnType<Plain['make']>

/** The data that a device has to sign, and its passkey's key. */
interface ToSay {
  readonly device: Plain
  readonly authData: Uint8Array
  readonly clientDataHash: Buffer
}

/** A device's statement about itself. */
export interface Saying {
  readonly fmt: string
  readonly attStmt: Readonly<Record<string, unknown>>
}

/** How a device makes its statement. */
export type Says = (toSay: ToSay) => Saying | Promise<Saying>

/** The model that all devices here have. */
const aaguid = Buffer.from('0123456789abcdef0123456789abcdef', 'hex')
/** The same model in the form in which it is reported. */
export const reportedAaguid = '01234567-89ab-cdef-0123-456789abcdef'
const es256 = -7
/** The model's offset in the signed data. */
const aaguidAt = 37

/** A device that attests itself when asked to. */
export function newAttestedAuthenticator(pages: string, says: Says) {
  const device = newAuthenticator(pages, aaguid)
  return {
    ...device,
    make: (options: Readonly<Record<string, unknown>>, otherwise?: Otherwise): Promise<Answer> =>
      saying(device.make(options, otherwise), says, device),
  }
}

/** A device's answer, but with a different statement. */
export async function saying<T extends Pick<Answer, 'response'>>(
  answer: T,
  says: Says,
  device = newAuthenticator('https://other.example'),
): Promise<T> {
  const { attestationObject, clientDataJSON } = answer.response as Record<string, string>
  const plain = decodeAttestationObject(bytes(Buffer.from(attestationObject!, 'base64url')))
  const authData = plain.get('authData')
  const clientDataHash = digest(Buffer.from(clientDataJSON!, 'base64url'))
  const { fmt, attStmt } = await says({ device, authData, clientDataHash })
  const object = isoCBOR.encode(mapOf({ fmt, attStmt: mapOf(attStmt), authData }))
  const said = { ...answer.response, attestationObject: Buffer.from(object).toString('base64url') }
  return { ...answer, response: said }
}

/** A manufacturer that a host trusts, and its devices. */
export async function newTrustedMaker() {
  const maker = await newMaker('Test Keys Root')
  const says = packed(maker)
  return {
    passkeyRoots: [rootOf(maker)],
    newDevice: (pages: string) => newAttestedAuthenticator(pages, says),
  }
}

/** A security key's statement: `packed`, with its model's certificate and the intermediate ones. */
export function packed(
  maker: DeviceMaker,
  otherwise: Certified & { readonly model?: Uint8Array; readonly above?: readonly DeviceMaker[] } = {},
): Says {
  const { above = [maker], ...certified } = otherwise
  return async ({ authData, clientDataHash }) => {
    const model = otherwise.model ?? authData.subarray(aaguidAt, aaguidAt + aaguid.length)
    const own = await maker.device('C=SE, O=Test Keys, OU=Authenticator Attestation, CN=Test Key 1', {
      ...certified,
      extensions: [
        new x509.Extension('1.3.6.1.4.1.45724.1.1.4', false, octets(model)),
        ...(certified.extensions ?? []),
      ],
    })
    const sig = await own.sign(Buffer.concat([authData, clientDataHash]))
    return { fmt: 'packed', attStmt: { alg: es256, sig: bytes(sig), x5c: chainOf(own.der, above) } }
  }
}

/** `packed`, signed by the passkey itself. */
export const selfAttested: Says = ({ device, authData, clientDataHash }) => {
  const sig = createSign('sha256')
    .update(Buffer.concat([authData, clientDataHash]))
    .sign(device.keys.privateKey)
  return { fmt: 'packed', attStmt: { alg: es256, sig: bytes(sig) } }
}

/** The attributes of a key that Windows creates inside its chip. */
const madeInside = 0x00060472

/** Windows' statement: `tpm`, signed with one of the chip's attestation keys. */
export function tpm(
  maker: DeviceMaker,
  otherwise: Certified & { readonly attributes?: number; readonly above?: readonly DeviceMaker[] } = {},
): Says {
  const { attributes = madeInside, above = [maker], ...certified } = otherwise
  return async ({ device, authData, clientDataHash }) => {
    const chip = '2.23.133.2.1=id:FFFFF1D0, 2.23.133.2.2=Test, 2.23.133.2.3=id:01'
    const own = await maker.device('', {
      ...certified,
      extensions: [
        new x509.SubjectAlternativeNameExtension([{ type: 'dn', value: chip }], true),
        new x509.ExtendedKeyUsageExtension(['2.23.133.8.3']),
        ...(certified.extensions ?? []),
      ],
    })
    const { x, y } = device.keys.publicKey.export({ format: 'jwk' })
    const pubArea = Buffer.concat([
      ...[u16(0x23), u16(0x0b), u32(attributes), sized(Buffer.alloc(0))],
      ...[u16(0x10), u16(0x10), u16(3), u16(0x10)],
      ...[sized(Buffer.from(x!, 'base64url')), sized(Buffer.from(y!, 'base64url'))],
    ])
    const name = Buffer.concat([u16(0x0b), digest(pubArea)])
    const certInfo = Buffer.concat([
      ...[u32(0xff544347), u16(0x8017), sized(name)],
      sized(digest(Buffer.concat([authData, clientDataHash]))),
      // The clock, how often it was reset, and the firmware.
      Buffer.alloc(8 + 4 + 4 + 1 + 8),
      ...[sized(name), sized(name)],
    ])
    const sig = bytes(await own.sign(certInfo))
    const x5c = chainOf(own.der, above)
    const said = { ver: '2.0', alg: es256, x5c, sig, certInfo: bytes(certInfo), pubArea: bytes(pubArea) }
    return { fmt: 'tpm', attStmt: said }
  }
}

/** A phone's root of trust, with its values in DER. */
interface BootState {
  /** DER's TRUE (0xff) by default. */
  readonly deviceLocked?: number
  /** 0 verified, 1 signed by its owner, 2 not verified, 3 failed; defaults to 0. */
  readonly verifiedBootState?: number
}

/** How a phone describes the key. */
interface Described {
  /** 0 software, 1 a part of the processor, 2 a separate chip. */
  readonly level?: number
  readonly challenge?: Uint8Array
  readonly purpose?: number
  readonly origin?: number
  /** The phone's state according to its hardware; null for a phone that does not send it. */
  readonly boot?: BootState | null
  /** The phone's state according to the system itself; absent by default. */
  readonly bootBySoftware?: BootState
  /** True if every app may use it. */
  readonly isForAll?: boolean
  readonly isOfOtherKey?: boolean
}

/** Android's statement: `android-key`, with a certificate for the passkey itself. */
export function androidKey(
  maker: DeviceMaker,
  otherwise: Certified & Described & { readonly above?: readonly DeviceMaker[] } = {},
): Says {
  const {
    level = 1,
    purpose = 2,
    origin = 0,
    boot = {},
    bootBySoftware,
    isForAll = false,
    isOfOtherKey,
    above = [maker],
    ...certified
  } = otherwise
  return async ({ device, authData, clientDataHash }) => {
    const forAll = isForAll ? [tagged(600, der(0x05))] : []
    const hardware = [
      tagged(1, der(0x31, der(0x02, Buffer.from([purpose])))),
      ...forAll,
      tagged(702, der(0x02, Buffer.from([origin]))),
      ...(boot === null ? [] : [rootOfTrust(boot)]),
    ]
    const software = bootBySoftware === undefined ? [] : [rootOfTrust(bootBySoftware)]
    const description = der(
      0x30,
      ...[der(0x02, Buffer.from([3])), der(0x0a, Buffer.from([level]))],
      ...[der(0x02, Buffer.from([4])), der(0x0a, Buffer.from([level]))],
      ...[der(0x04, Buffer.from(otherwise.challenge ?? clientDataHash)), der(0x04)],
      ...[der(0x30, ...software), der(0x30, ...hardware)],
    )
    const other = newAuthenticator('https://other.example')
    const { publicKey, privateKey } = isOfOtherKey ? other.keys : device.keys
    const own = await maker.device('CN=Android Keystore Key', {
      ...certified,
      publicKey,
      extensions: [new x509.Extension('1.3.6.1.4.1.11129.2.1.17', false, new Uint8Array(description))],
    })
    const sig = createSign('sha256')
      .update(Buffer.concat([authData, clientDataHash]))
      .sign(privateKey)
    return { fmt: 'android-key', attStmt: { alg: es256, sig: bytes(sig), x5c: chainOf(own.der, above) } }
  }
}

function rootOfTrust({ deviceLocked = 0xff, verifiedBootState = 0 }: BootState): Buffer {
  const key = der(0x04, Buffer.alloc(32, 1))
  const systemDigest = der(0x04, Buffer.alloc(32, 2))
  const locked = der(0x01, Buffer.from([deviceLocked]))
  return tagged(704, der(0x30, key, locked, der(0x0a, Buffer.from([verifiedBootState])), systemDigest))
}

/** How the server judges a device that creates a passkey now. */
export async function judged(says: Says, passkeyRoots: TrustedRoots) {
  const challenge = 'AAAA'
  const response = await newAttestedAuthenticator(pages, says).make({ challenge })
  const party = { id: new URL(pages).hostname, origin: pages }
  const { attested: found } = await attested(
    { party, challenge, response, embedOrigins: [] },
    { roots: passkeyRoots, now: Date.now() },
  )
  return found
}

/** The same statement with a single change. */
export function changed(says: Says, change: (attStmt: Record<string, unknown>) => object): Says {
  return async (toSay) => {
    const { fmt, attStmt } = await says(toSay)
    return { fmt, attStmt: { ...attStmt, ...change({ ...attStmt }) } }
  }
}

const chainOf = (own: Buffer, above: readonly DeviceMaker[]) =>
  [own, ...above.map((one) => one.der)].map(bytes)
const mapOf = (members: Readonly<Record<string, unknown>>) =>
  new Map(Object.entries(members)) as Map<string, never>
const bytes = (of: Uint8Array) => new Uint8Array(of)
const digest = (of: Uint8Array) => createHash('sha256').update(of).digest()
const octets = (of: Uint8Array) => new Uint8Array(der(0x04, of))

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const whole = Buffer.concat(content)
  if (whole.length > 0xff) throw new Error('Longer than these certificates need')
  const length = whole.length < 0x80 ? [whole.length] : [0x81, whole.length]
  return Buffer.concat([Buffer.from([tag, ...length]), whole])
}

/** An element with a context-specific tag, which may exceed 30. */
function tagged(tag: number, content: Buffer): Buffer {
  if (tag < 31) return der(0xa0 + tag, content)
  const length = Buffer.from([content.length])
  return Buffer.concat([Buffer.from([0xbf, 0x80 | (tag >> 7), tag & 0x7f]), length, content])
}

function u16(value: number): Buffer {
  const of = Buffer.alloc(2)
  of.writeUInt16BE(value)
  return of
}

function u32(value: number): Buffer {
  const of = Buffer.alloc(4)
  of.writeUInt32BE(value)
  return of
}

const sized = (of: Buffer) => Buffer.concat([u16(of.length), of])
