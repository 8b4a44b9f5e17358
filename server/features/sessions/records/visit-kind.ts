import type { VisitBrowser, VisitDevice } from '#shared/contract/sessions/session-device.ts'
import type { SessionSource } from '#shared/contract/sessions/session-list.ts'
import type { SessionRecord } from './session-record.ts'

/** A visit's source, device and browser; null if unknown. */
export interface VisitKind {
  readonly source: SessionSource
  readonly device: VisitDevice | null
  readonly browser: VisitBrowser | null
}

const unknown = '-'

export function kindOf({ source, visitor }: Pick<SessionRecord, 'source' | 'visitor'>): VisitKind {
  return { source, device: visitor?.device ?? null, browser: visitor?.browser ?? null }
}

/** A visit kind as part of a key. */
export function kindText({ source, device, browser }: VisitKind): string {
  return [source, device ?? unknown, browser ?? unknown].join('.')
}

export function kindFrom(text: string): VisitKind {
  const [source, device, browser] = text.split('.').map((part) => (part === unknown ? null : part))
  return {
    source: source as SessionSource,
    device: device as VisitDevice | null,
    browser: browser as VisitBrowser | null,
  }
}
