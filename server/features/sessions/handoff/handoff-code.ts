import { hash, randomInt } from 'node:crypto'

/** The stored form of a code. */
export function digestOfCode(code: string): string {
  return hash('sha256', `handoff|${code}`, 'base64url')
}

/** Two digits for two screens. None begins with 0, which some people would not read out. */
export function newHandoffNumber(): string {
  return String(randomInt(10, 100))
}
