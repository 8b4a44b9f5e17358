import { Problem } from '#shared/problem.ts'
import type { KioskErrorKind } from './kiosk.ts'

/** What went wrong with a request, and what becomes of the capture that it was about. */
export interface Trouble {
  readonly kind: KioskErrorKind
  /** The code of the server's problem; null without an answer of its own. */
  readonly code: string | null
  /** `later`: it is tried again; `aside`: it makes way for the others; `never`: nothing more is sent. */
  readonly fate: 'later' | 'aside' | 'never'
}

/** Names what a request of a kiosk threw. */
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
