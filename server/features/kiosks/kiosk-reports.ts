import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { type Transaction, transact } from '#server/platform/store/transaction.ts'

/** A kiosk's last reported state. Null until it has reported. */
export interface KioskReport {
  /** Milliseconds since 1970. */
  readonly lastSeen: number | null
  readonly queued: number | null
  readonly storage: { readonly usedBytes: number; readonly quotaBytes: number } | null
  /** How far ahead the device's clock is. */
  readonly clockDriftInSeconds: number | null
  readonly lastSequence: number | null
  readonly receivedCount: number
}

type ReportedState = Partial<Omit<KioskReport, 'lastSeen' | 'receivedCount'>>

/** Kiosk reports, stored separately from the kiosks' records, which rarely change. */
export interface KioskReports {
  get(kioskId: string): Promise<KioskReport>
  /** Stores a report, and records that the kiosk was seen. */
  note(kioskId: string, reported: ReportedState): Promise<void>
  /** Records that a kiosk was seen, unless this was recorded within the last minute. */
  see(kioskId: string): Promise<void>
  /** Counts a capture in the commit that decides it; it waits no longer, although the next report may be minutes away. */
  count(transaction: Transaction, kioskId: string): Promise<void>
}

const nothingReported: KioskReport = {
  lastSeen: null,
  queued: null,
  storage: null,
  clockDriftInSeconds: null,
  lastSequence: null,
  receivedCount: 0,
}

const seenAnewAfterInMilliseconds = 60_000

export function createKioskReports(store: Store, now: Clock): KioskReports {
  const reports = createTable<KioskReport>(store, 'kiosk-report')
  const id = 'report'

  const get = async (kioskId: string) => (await reports.get(kioskId, id)) ?? nothingReported

  async function change(
    transaction: Transaction,
    kioskId: string,
    changed: (before: KioskReport) => Partial<KioskReport>,
  ): Promise<void> {
    const before = (await transaction.read(reports, kioskId, id)) ?? nothingReported
    transaction.put(reports, kioskId, id, { ...before, ...changed(before) })
  }

  async function note(kioskId: string, reported: Partial<KioskReport>): Promise<void> {
    const noted = async (transaction: Transaction) => {
      await change(transaction, kioskId, () => reported)
      return true
    }
    await transact(store, noted, () => new Error('A report of a kiosk could not be stored'))
  }

  return {
    get,
    note: (kioskId, report) => note(kioskId, { ...report, lastSeen: now() }),
    async see(kioskId) {
      const { lastSeen } = await get(kioskId)
      const isKnown = lastSeen !== null && Math.abs(now() - lastSeen) < seenAnewAfterInMilliseconds
      if (!isKnown) await note(kioskId, { lastSeen: now() })
    },
    count: (transaction, kioskId) =>
      change(transaction, kioskId, ({ receivedCount, queued }) => ({
        receivedCount: receivedCount + 1,
        queued: queued && queued - 1,
      })),
  }
}
