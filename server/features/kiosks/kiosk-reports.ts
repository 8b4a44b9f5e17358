import { sameBytes } from '#server/platform/store/same-bytes.ts'
import type { Clock, Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type Read } from '#server/platform/store/tables.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'

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

type ReportedState = Partial<Omit<KioskReport, 'lastSeen' | 'receivedCount'>>

/** Commits what it is given together with its own; answers whether it did. */
export type Commit = (writes: readonly Write[], guards: readonly Guard[]) => Promise<boolean>

/** What kiosks tell of themselves: apart from their records, which change hardly ever. */
export interface KioskReports {
  get(kioskId: string): Promise<KioskReport>
  /** Notes what a kiosk told, and that it was seen. */
  note(kioskId: string, reported: ReportedState): Promise<void>
  /** Notes that a kiosk was seen, where that was not noted within the last minute. */
  see(kioskId: string): Promise<void>
  /**
   * Counts one capture more in the very commit that decides it; false where that commit fails for a reason of its own.
   */
  count(kioskId: string, commit: Commit): Promise<boolean>
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

  async function read(kioskId: string): Promise<Read<KioskReport>> {
    const nothing = { value: nothingReported, guard: reports.absent(kioskId, id) }
    return (await reports.read(kioskId, id)) ?? nothing
  }

  const commitNote = (writes: readonly Write[], guards: readonly Guard[]) => store.commit(writes, guards)

  /** Undefined where the report was changed meanwhile. */
  async function tryToChange(
    kioskId: string,
    change: (before: KioskReport) => Partial<KioskReport>,
    commit: Commit = commitNote,
  ): Promise<boolean | undefined> {
    const { value, guard } = await read(kioskId)
    const write = reports.write(kioskId, id, { ...value, ...change(value) })
    if (await commit([write], [guard])) return true
    return sameBytes(guard.value, (await read(kioskId)).guard.value) ? false : undefined
  }

  const changed = (...given: Parameters<typeof tryToChange>) =>
    retryOnConflict(
      () => tryToChange(...given),
      () => new Error('What a kiosk told could not be noted'),
    )

  return {
    get: async (kioskId) => (await read(kioskId)).value,
    async note(kioskId, reported) {
      await changed(kioskId, () => ({ ...reported, lastSeen: now() }))
    },
    async see(kioskId) {
      const { lastSeen } = (await read(kioskId)).value
      const isKnown = lastSeen !== null && Math.abs(now() - lastSeen) < seenAnewAfterInMilliseconds
      if (!isKnown) await changed(kioskId, () => ({ lastSeen: now() }))
    },
    count: (kioskId, commit) =>
      changed(kioskId, ({ receivedCount }) => ({ receivedCount: receivedCount + 1 }), commit),
  }
}
