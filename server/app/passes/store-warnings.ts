import type { EqualNames, OutOfReach, UnknownNames } from '#server/features/verifications/verifications.ts'
import { type Warning, when } from '../warning.ts'

/** Findings that are named one by one. */
const mostNamed = 20

/** [Note: Stored records are read as before] The start names each such verification. */
export function nameWarnings(found: readonly UnknownNames[]): Warning[] {
  const code = 'unknown_names'
  const listed = found.slice(0, mostNamed).map(({ verificationId, name, places }) => ({
    code,
    meaning: `Nothing knows ${places.join(', ')} in the verification ${JSON.stringify(name)} (${verificationId}): its next change is refused with them.`,
  }))
  const left = found.length - listed.length
  return [...listed, ...when(left > 0, { code, meaning: `So it is with ${left} further verifications.` })]
}

/** [Note: Equal names] New ones are refused; those that are there are found only by the text that was sent. */
export function equalWarnings(found: readonly EqualNames[]): Warning[] {
  const code = 'equal_names'
  const listed = found.slice(0, mostNamed).map(({ kind, names }) => ({
    code,
    meaning: `Several ${kind} of an account have the same name in different encodings: ${names.map(escaped).join(', ')}. Rename or delete all but one.`,
  }))
  const left = found.length - listed.length
  return [...listed, ...when(left > 0, { code, meaning: `The same holds for ${left} further groups.` })]
}

/** Characters beyond ASCII as escapes, because the texts look the same. */
function escaped(name: string): string {
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** [Note: Asked for, and out of reach] Stored verifications stay, although every visit of them fails. */
export function reachWarnings(found: readonly OutOfReach[]): Warning[] {
  const code = 'high_out_of_reach'
  const listed = found.slice(0, mostNamed).map(({ verificationId, name }) => ({
    code,
    meaning: `Nobody can pass the verification ${JSON.stringify(name)} (${verificationId}): it asks for the assurance high, and no maker of devices is trusted. Set PASSKEY_ROOTS.`,
  }))
  const left = found.length - listed.length
  return [...listed, ...when(left > 0, { code, meaning: `So it is with ${left} further verifications.` })]
}
