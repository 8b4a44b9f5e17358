import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Progress } from '#web/capture/machine/state.ts'
import { unlessRefused } from '#web/ui/unless-refused.ts'
import type { Shelf } from './shelf.ts'

/** What a reload needs to go on; kept in sessionStorage, so it ends with the tab. */
export interface SessionRecord {
  /** The address that the session was opened at. */
  readonly path: string
  readonly sessionId: string
  readonly token: string
  readonly consented: boolean
  readonly plan: CapturePlan
  /** When the session ends, in milliseconds since 1970. */
  readonly expiresAt: number | null
}

const key = 'selfsame:session'

/** The record of this address, if this tab has one. */
export function readRecord(shelf: Shelf, path: string): SessionRecord | undefined {
  const record = unlessRefused(() => JSON.parse(shelf.getItem(key) ?? 'null') as SessionRecord | null)
  return record?.path === path ? record : undefined
}

/** Keeps the record. Where storage is refused a reload cannot go on, and nothing else is lost. */
export function writeRecord(shelf: Shelf, record: SessionRecord): void {
  unlessRefused(() => shelf.setItem(key, JSON.stringify(record)))
}

/** Forgets the session. */
export function dropRecord(shelf: Shelf): void {
  unlessRefused(() => shelf.removeItem(key))
}

/**
 * Where a session stands, by the server's word. [Note: Which step was the last] is not known after a reload, and need not be: the server takes what
 * comes last as of the last step that it revealed.
 */
export function progressOf(
  current: { step: number; action: unknown; timeLimitInSeconds: number | null } | null,
  hasChallenge: boolean,
): Progress {
  if (current === null) return hasChallenge ? { kind: 'closing', lastStep: 0 } : { kind: 'fresh' }
  if (current.step === 0 || current.action === null) return { kind: 'fresh' }
  const { step, action, timeLimitInSeconds } = current
  return {
    kind: 'step',
    step: { step, action, timeLimitInSeconds: timeLimitInSeconds ?? 10 } as Extract<
      Progress,
      { kind: 'step' }
    >['step'],
  }
}
