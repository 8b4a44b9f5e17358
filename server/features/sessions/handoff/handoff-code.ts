import { hash, randomInt } from 'node:crypto'
import { handoffAlphabet, handoffCodeLength } from '#shared/contract/sessions/session-handoff.ts'

/** A fresh code of 50 random bits, as `readHandoffCode` would read it. */
export function newHandoffCode(): string {
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

/** What is kept of a code. */
export function digestOfCode(code: string): string {
  return hash('sha256', `handoff|${code}`, 'base64url')
}

/** Two digits for two screens; none begins with 0, which some would not read out. */
export function newHandoffNumber(): string {
  return String(randomInt(10, 100))
}
