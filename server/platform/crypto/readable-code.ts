import { randomInt } from 'node:crypto'
import { handoffAlphabet, handoffCodeLength } from '#shared/contract/sessions/session-handoff.ts'

/** Creates a code with 50 random bits that people can read and type, in the form that `readHandoffCode` accepts. */
export function newReadableCode(): string {
  const signs = Array.from(
    { length: handoffCodeLength },
    () => handoffAlphabet[randomInt(handoffAlphabet.length)],
  )
  return signs.join('')
}

/** The code in two groups, as shown to people. */
export function groupedCode(code: string): string {
  return `${code.slice(0, handoffCodeLength / 2)}-${code.slice(handoffCodeLength / 2)}`
}
