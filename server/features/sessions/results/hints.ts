import { injectionHintsOf } from '#models/rules/liveness/injection.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { InjectionHint } from '#shared/contract/sessions/session.ts'

/**
 * The hints in the device's reports, from this try and earlier ones. [Note: A hint stays] A person who was detected in a
 * first try uses another camera in the next one.
 */
export function hintsOf({
  deviceReport,
  before,
}: Pick<SessionRecord, 'deviceReport' | 'before'>): InjectionHint[] {
  return [...new Set([...(before?.injectionHints ?? []), ...injectionHintsOf(deviceReport)])]
}
