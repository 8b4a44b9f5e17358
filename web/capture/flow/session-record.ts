import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { Progress } from '#web/capture/machine/state.ts'
import { unlessRefused } from '#web/ui/unless-refused.ts'
import type { Shelf } from './shelf.ts'

/** The data that a reload needs in order to continue. It is stored in sessionStorage, so it ends with the tab. */
export interface SessionRecord {
  /** The address that opened the session. */
  readonly path: string
  readonly sessionId: string
  readonly token: string
  readonly consented: boolean
  readonly plan: CapturePlan
  /** When the session ends, in milliseconds since 1970. */
  readonly expiresAt: number | null
}

const key = 'selfsame:session'

/** Reads the record for this address, if this tab has one. */
export function readRecord(shelf: Shelf, path: string): SessionRecord | undefined {
  const record = unlessRefused(() => JSON.parse(shelf.getItem(key) ?? 'null') as SessionRecord | null)
  return record?.path === path ? record : undefined
}

/** Stores the record. If storage is denied, a reload cannot continue, but nothing else is affected. */
export function writeRecord(shelf: Shelf, record: SessionRecord): void {
  unlessRefused(() => shelf.setItem(key, JSON.stringify(record)))
}

/** Forgets the session. */
export function dropRecord(shelf: Shelf): void {
  unlessRefused(() => shelf.removeItem(key))
}

/**
 * Converts the server's progress. [Note: Which step was the last] After a reload, the last step's number is unknown but not needed: the
 * server assigns the final submission to the last step it revealed.
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
