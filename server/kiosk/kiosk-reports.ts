import { contended } from '#server/store/contended.ts'
import type { Store } from '#server/store/store.ts'
import { createTable } from '#server/store/tables.ts'

/** How a kiosk is doing, as far as it told. Null where it has not yet. */
export interface KioskReport {
  /** Milliseconds since 1970. */
  readonly lastSeen: number | null
  readonly queued: number | null
  readonly storage: { readonly usedBytes: number; readonly quotaBytes: number } | null
  /** How far the device's clock is ahead. */
  readonly clockDriftInSeconds: number | null
  readonly lastSequence: number | null
  readonly receivedCount: number
}

/** What kiosks tell of themselves: apart from their records, which change hardly ever. */
export interface KioskReports {
  get(kioskId: string): Promise<KioskReport>
  note(kioskId: string, change: (before: KioskReport) => Partial<KioskReport>): Promise<void>
}

const nothingTold: KioskReport = {
  lastSeen: null,
  queued: null,
  storage: null,
  clockDriftInSeconds: null,
  lastSequence: null,
  receivedCount: 0,
}

export function createKioskReports(store: Store): KioskReports {
  const reports = createTable<KioskReport>(store, 'kiosk-report')
  const id = 'report'

  return {
    get: async (kioskId) => (await reports.get(kioskId, id)) ?? nothingTold,
    note: async (kioskId, change) => {
      await contended(
        async () => {
          const read = await reports.read(kioskId, id)
          const before = read?.value ?? nothingTold
          const write = reports.write(kioskId, id, { ...before, ...change(before) })
          return (await store.commit([write], [read?.guard ?? reports.absent(kioskId, id)])) || undefined
        },
        () => new Error('What a kiosk told could not be noted'),
      )
    },
  }
}
