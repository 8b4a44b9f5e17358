import type { getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import type { ResultOf } from '#shared/endpoint.ts'

type Kiosk = ResultOf<typeof getAllKiosks>['kiosks'][number]

/** A paired kiosk that has asked for nothing for so long is silent: it asks every few minutes while it has a network. */
export const silentMinutes = 60

/** Whether a kiosk should have been heard of. */
export function isSilent({ state, lastSeenUtcTime, pairedUtcTime }: Kiosk, now: number): boolean {
  if (state !== 'Paired') return false
  const seen = Date.parse(lastSeenUtcTime ?? pairedUtcTime ?? '')
  return !(now - seen < silentMinutes * 60_000)
}

/** How many captures the device took that neither arrived nor wait on it, as far as it reported. */
export function lostCaptures({ lastSequence, receivedCount, queued }: Kiosk): number {
  return lastSequence === null ? 0 : Math.max(0, lastSequence - receivedCount - (queued ?? 0))
}
