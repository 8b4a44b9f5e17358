import type { KioskCaller } from '#server/features/callers/callers.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { syncKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { NoteIssuer } from './issuers.ts'
import type { KioskReports } from './kiosk-reports.ts'
import type { Provide } from './provisions.ts'

interface Dependencies {
  reports: KioskReports
  provide: Provide
  noteIssuer: NoteIssuer
  issuer: () => string
  now: Clock
}

/** Stores the kiosk's report, and returns its current provisions. */
export function createSyncKiosk(services: Dependencies): Handler<typeof syncKiosk, KioskCaller> {
  const { reports, provide, noteIssuer, issuer, now } = services
  return async ({ body, caller }) => {
    const { kiosk } = caller
    const { clockUtcTime, queued, storage = null, lastSequence, unusedPlanCount } = body
    const clockDriftInSeconds = Math.round((Date.parse(clockUtcTime) - now()) / 1000)
    await reports.note(kiosk.kioskId, { queued, storage, lastSequence, clockDriftInSeconds })
    await noteIssuer(kiosk, issuer())
    return provide(kiosk, unusedPlanCount)
  }
}
