import type { EqualNames, OutOfReach, UnknownNames } from '#server/features/verifications/verifications.ts'
import { type Warning, when } from './warning.ts'

/** The maximum number of findings that are listed individually. */
const mostNamed = 20

/** [Note: Stored records are read as before] The start lists each verification with unknown names. */
export function nameWarnings(found: readonly UnknownNames[]): Warning[] {
  const code = 'unknown_names'
  const listed = found.slice(0, mostNamed).map(({ verificationId, name, places }) => ({
    code,
    meaning: `Unknown names in the verification ${JSON.stringify(name)} (${verificationId}): ${places.join(', ')}. Its next change is refused unless they are removed.`,
  }))
  const left = found.length - listed.length
  return [
    ...listed,
    ...when(left > 0, { code, meaning: `The same applies to ${left} further verifications.` }),
  ]
}

/** [Note: Equal names] New duplicates are refused. Existing ones can be found only by the exact text that was sent. */
export function equalWarnings(found: readonly EqualNames[]): Warning[] {
  const code = 'equal_names'
  const listed = found.slice(0, mostNamed).map(({ kind, names }) => ({
    code,
    meaning: `Several ${kind} of an account have the same name in different encodings: ${names.map(escaped).join(', ')}. Rename or delete all but one.`,
  }))
  const left = found.length - listed.length
  return [...listed, ...when(left > 0, { code, meaning: `The same applies to ${left} further groups.` })]
}

/** Escapes non-ASCII characters, because the texts look the same. */
function escaped(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** [Note: Asked for, and out of reach] Stored verifications are kept, although all of their visits fail. */
export function reachWarnings(found: readonly OutOfReach[]): Warning[] {
  const code = 'high_out_of_reach'
  const listed = found.slice(0, mostNamed).map(({ verificationId, name }) => ({
    code,
    meaning: `The verification ${JSON.stringify(name)} (${verificationId}) cannot be passed: it requires the assurance high, and no device maker is trusted. Set PASSKEY_ROOTS.`,
  }))
  const left = found.length - listed.length
  return [
    ...listed,
    ...when(left > 0, { code, meaning: `The same applies to ${left} further verifications.` }),
  ]
}
