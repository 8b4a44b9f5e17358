import { hash, randomInt } from 'node:crypto'

/** What is kept of a code. */
export function digestOfCode(code: string): string {
  return hash('sha256', `handoff|${code}`, 'base64url')
}

/** Two digits for two screens; none begins with 0, which some would not read out. */
export function newHandoffNumber(): string {
  return String(randomInt(10, 100))
}
