import { injectionHintsOf } from '#models/rules/liveness/injection.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { InjectionHint } from '#shared/contract/sessions/session.ts'

/**
 * What the device's report hints at, in this try or in one before. [Note: A hint stays] Whoever was found out in a first try takes
 * another camera for the next one.
 */
export function hintsOf({
  deviceReport,
  before,
}: Pick<SessionRecord, 'deviceReport' | 'before'>): InjectionHint[] {
  return [...new Set([...(before?.injectionHints ?? []), ...injectionHintsOf(deviceReport)])]
}
