import 'reflect-metadata'
import type { X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { cose, decodeCredentialPublicKey, verifySignature } from '@simplewebauthn/server/helpers'
import { elementsOf } from './der.ts'
import type { SignedStatement } from './statement.ts'

/** The OID of the extension in which Android describes how a key was created and what it is for. */
const keyDescription = '1.3.6.1.4.1.11129.2.1.17'
/** Positions within it. */
const [attestationLevel, keyLevel, challenge, softwareEnforced, hardwareEnforced] = [1, 3, 4, 6, 7]
/** Tags of the authorisation lists. */
const [purposes, allApplications, origin, rootOfTrust] = [1, 600, 702, 704]
const [signs, generated, software] = [2, 0, 0]
/** Values in the root of trust: DER's FALSE, and the boot state of a system signed by the phone's maker. */
const [unlocked, verified] = [0, 0]

/**
 * Verifies a statement of `android-key`. [Note: Read here] The library that reads the other formats would fetch the
 * revocation lists that the statement names.
 * @returns false also if the key is not in hardware, which `isOfSoftware` reports first
 */
export async function holdsAndroidKey(statement: SignedStatement, leaf: X509Certificate): Promise<boolean> {
  const { signature, algorithm, signedData, clientDataHash, credentialPublicKey } = statement
  const description = descriptionIn(leaf)
  const inHardware = entriesOf(description[hardwareEnforced])
  const bySoftware = entriesOf(description[softwareEnforced])
  if (!Buffer.from(bytesOf(description[challenge])).equals(clientDataHash)) return false
  if (inHardware.has(allApplications) || bySoftware.has(allApplications)) return false
  if (!numbersIn(inHardware.get(purposes)).includes(signs)) return false
  if (numberIn(inHardware.get(origin)) !== generated) return false
  if (!isKeyOf(leaf, credentialPublicKey)) return false
  return verifySignature({
    signature,
    data: signedData,
    x509Certificate: new Uint8Array(leaf.raw),
    hashAlgorithm: algorithm,
  })
}

/** True if the phone itself says that the key is not in hardware. @throws if the description is unreadable */
export function isOfSoftware(leaf: X509Certificate): boolean {
  const description = descriptionIn(leaf)
  return [attestationLevel, keyLevel].some((place) => bytesOf(description[place])[0] === software)
}

/**
 * True if the phone was locked and had booted a system signed by its maker when it created the key.
 * [Note: Hardware's word alone] A modified system writes the software-enforced list itself, so a root of trust in that
 * list does not count. A phone without one in the hardware-enforced list counts as unlocked.
 * @throws if the description is malformed
 */
export function isLockedAndVerified(leaf: X509Certificate): boolean {
  const state = entriesOf(descriptionIn(leaf)[hardwareEnforced]).get(rootOfTrust)
  if (state === undefined) return false
  const [, deviceLocked, verifiedBootState] = elementsOf(state.content)
  const isLocked = (numberIn(deviceLocked) ?? unlocked) !== unlocked
  return isLocked && numberIn(verifiedBootState) === verified
}

function descriptionIn(leaf: X509Certificate) {
  const extension = new x509.X509Certificate(leaf.raw).getExtension(keyDescription)
  if (extension === null) throw new Error('The certificate has no key description')
  const [sequence] = elementsOf(new Uint8Array(extension.value))
  return elementsOf(bytesOf(sequence))
}

function bytesOf(element: { readonly content: Uint8Array } | undefined): Uint8Array {
  if (element === undefined) throw new Error('The key description is truncated')
  return element.content
}

/** An authorisation list's entries, by tag. */
function entriesOf(list: Parameters<typeof bytesOf>[0]) {
  return new Map(elementsOf(bytesOf(list)).map(({ tag, content }) => [tag, elementsOf(content)[0]]))
}

function numberIn(element: Parameters<typeof bytesOf>[0]): number | undefined {
  return element?.content.length === 1 ? element.content[0] : undefined
}

function numbersIn(set: Parameters<typeof bytesOf>[0]): (number | undefined)[] {
  return set === undefined ? [] : elementsOf(set.content).map(numberIn)
}

function isKeyOf(leaf: X509Certificate, credentialPublicKey: Uint8Array): boolean {
  const key = decodeCredentialPublicKey(new Uint8Array(credentialPublicKey)) as Map<number, unknown>
  const { kty, x, y, n, e } = leaf.publicKey.export({ format: 'jwk' })
  const is = (name: number, value: string | undefined) => {
    const bytes = key.get(name)
    return (
      value !== undefined && bytes instanceof Uint8Array && Buffer.from(bytes).toString('base64url') === value
    )
  }
  const { COSEKEYS } = cose
  return kty === 'EC' ? is(COSEKEYS.x, x) && is(COSEKEYS.y, y) : is(COSEKEYS.n, n) && is(COSEKEYS.e, e)
}
