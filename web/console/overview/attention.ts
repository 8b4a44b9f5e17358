import type { getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import type { ResultOf } from '#shared/endpoint.ts'

type Kiosk = ResultOf<typeof getAllKiosks>['kiosks'][number]

/** A paired kiosk counts as silent after this long without contact. When online, it contacts the server every few minutes. */
export const silentMinutes = 60

/** True if the server should have heard from a kiosk by now. */
export function isSilent({ state, lastSeenUtcTime, pairedUtcTime }: Kiosk, now: number): boolean {
  if (state !== 'Paired') return false
  const seen = Date.parse(lastSeenUtcTime ?? pairedUtcTime ?? '')
  return !(now - seen < silentMinutes * 60_000)
}

/** How many captures have neither arrived nor are waiting on the device, according to its last report. */
export function lostCaptures({ lastSequence, receivedCount, queued }: Kiosk): number {
  return lastSequence === null ? 0 : Math.max(0, lastSequence - receivedCount - (queued ?? 0))
}
