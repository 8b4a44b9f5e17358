import type { getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import type { ResultOf } from '#shared/endpoint.ts'

type Kiosk = ResultOf<typeof getAllKiosks>['kiosks'][number]

/** A paired kiosk without contact for this long counts as silent. With a network, it contacts the server every few minutes. */
export const silentMinutes = 60

/** True if a kiosk should have contacted the server by now. */
export function isSilent({ state, lastSeenUtcTime, pairedUtcTime }: Kiosk, now: number): boolean {
  if (state !== 'Paired') return false
  const seen = Date.parse(lastSeenUtcTime ?? pairedUtcTime ?? '')
  return !(now - seen < silentMinutes * 60_000)
}

/** Number of captures that neither arrived nor wait on the device, according to its last report. */
export function lostCaptures({ lastSequence, receivedCount, queued }: Kiosk): number {
  return lastSequence === null ? 0 : Math.max(0, lastSequence - receivedCount - (queued ?? 0))
}
