import { randomInt } from 'node:crypto'
import { handoffAlphabet, handoffCodeLength } from '#shared/contract/sessions/session-handoff.ts'

/** A fresh code of 50 random bits for people to read and type, as `readHandoffCode` would read it. */
export function newReadableCode(): string {
  const signs = Array.from(
    { length: handoffCodeLength },
    () => handoffAlphabet[randomInt(handoffAlphabet.length)],
  )
  return signs.join('')
}

/** The code as people read it: two groups. */
export function groupedCode(code: string): string {
  return `${code.slice(0, handoffCodeLength / 2)}-${code.slice(handoffCodeLength / 2)}`
}
