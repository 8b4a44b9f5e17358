import { Problem } from '#shared/problem.ts'
import type { KioskErrorKind } from './kiosk.ts'

/** Why a request failed, and what to do with its capture. */
export interface Trouble {
  readonly kind: KioskErrorKind
  /** The server's error code; null if it did not answer. */
  readonly code: string | null
  /** `later`: send it again; `aside`: continue with the others; `never`: stop sending. */
  readonly fate: 'later' | 'aside' | 'never'
}

/** Classifies an error from a kiosk request. */
export function troubleOf(error: unknown): Trouble {
  if (!(error instanceof Problem)) return { kind: 'unreachable', code: null, fate: 'later' }
  const { code, status } = error
  switch (code) {
    case 'kiosk_revoked':
      return { kind: 'revoked', code, fate: 'never' }
    case 'clock_drift':
      return { kind: 'clockDrift', code, fate: 'later' }
    case 'sequence_used':
      return { kind: 'sequenceUsed', code, fate: 'aside' }
    case 'verification_not_found':
      return { kind: 'verificationGone', code, fate: 'later' }
    case 'capture_refused':
    case 'invalid_request':
    case 'body_too_large':
      return { kind: 'captureRefused', code, fate: 'aside' }
    default:
      return { kind: status >= 502 ? 'unreachable' : 'serverTrouble', code, fate: 'later' }
  }
}
