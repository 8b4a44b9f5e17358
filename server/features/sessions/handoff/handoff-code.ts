import { hash, randomInt } from 'node:crypto'

/** The form in which a code is stored. */
export function digestOfCode(code: string): string {
  return hash('sha256', `handoff|${code}`, 'base64url')
}

/** Two digits that both screens show. The first is never 0, because some people would not read it out. */
export function newHandoffNumber(): string {
  return String(randomInt(10, 100))
}
