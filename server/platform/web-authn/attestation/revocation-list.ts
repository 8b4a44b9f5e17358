import * as v from 'valibot'
import type { Attestation } from './attestation.ts'
import { serialNumberOf } from './chain-certificate.ts'

/** Devices that an operator has revoked. */
export interface RevocationList {
  /** True if the list names the device's model or one of its chain's certificates. */
  includes(device: RevocableDevice): boolean
  /** A summary of the list's entries, for the log. */
  readonly words: string
}

/** A passkey that was bound with 0.2.0 has no `chain`, so only its model and its root can be compared. */
export type RevocableDevice = Pick<Attestation, 'aaguid' | 'root' | 'chain'>

const serialWords =
  'Must be a serial number as hexadecimal digits in quotes, or { issuer, serial } with the SHA-256 digest of a name as issuer.'
const objectWords = 'Must be an object with serialNumbers, aaguids and certificates, and nothing else.'
const listWords = 'Must be a list.'

const serial = v.pipe(v.string(serialWords), v.regex(/^[\da-f]+$/i, serialWords), v.transform(serialNumberOf))
const sha256 = v.pipe(
  v.string('Must be a SHA-256 digest as hexadecimal digits in quotes.'),
  v.regex(/^[\da-f]{64}$/i, 'Must be a SHA-256 digest: 64 hexadecimal digits.'),
  v.toLowerCase(),
)
const aaguidWords = 'Must be an AAGUID such as 01234567-89ab-cdef-0123-456789abcdef.'
const aaguid = v.pipe(
  v.string(aaguidWords),
  v.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, aaguidWords),
  v.toLowerCase(),
)

/** [Note: Strict] A misspelt name would silently revoke nothing, so unknown names are errors. A list may be omitted. */
const lists = v.strictObject(
  {
    serialNumbers: v.optional(
      v.array(v.union([serial, v.strictObject({ issuer: sha256, serial })], serialWords), listWords),
      [],
    ),
    aaguids: v.optional(v.array(aaguid, listWords), []),
    certificates: v.optional(v.array(sha256, listWords), []),
  },
  objectWords,
)

/** [Note: No list] An empty list has all the members that an object of optional members needs. */
const file = v.pipe(
  v.unknown(),
  v.check((content) => !Array.isArray(content), objectWords),
  lists,
)

/** @throws {Error} with the place of the first mistake, in a message for operators */
export function parseRevocationList(text: string): RevocationList {
  const { issues, output } = v.safeParse(file, jsonOf(text))
  if (issues !== undefined) {
    const place = v.getDotPath(issues[0])
    throw new Error(place === null ? issues[0].message : `${place}: ${issues[0].message}`)
  }
  const { serialNumbers, aaguids, certificates } = output
  const serials = new Set(
    serialNumbers.map((one) => (typeof one === 'string' ? one : qualified(one.issuer, one.serial))),
  )
  const [models, digests] = [new Set(aaguids), new Set(certificates)]
  return {
    includes: ({ aaguid, root, chain = [] }) =>
      models.has(aaguid.toLowerCase()) ||
      digests.has(root) ||
      chain.some(
        ({ sha256, issuer, serial }) =>
          digests.has(sha256) || serials.has(serial) || serials.has(qualified(issuer, serial)),
      ),
    words: `${serials.size} serial numbers, ${models.size} models, ${digests.size} certificates`,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`Is not JSON: ${(error as Error).message}.`)
  }
}

/** A serial number is unique only among one issuer's certificates. */
function qualified(issuer: string, serial: string): string {
  return `${issuer} ${serial}`
}
