import type { Signal } from '@preact/signals'
import type { KioskError } from './kiosk.ts'
import type { KioskStore } from './kiosk-store.ts'

/** What went wrong lately, for the staff menu; outlives a reload. */
export interface ErrorLog {
  add(error: KioskError): void
}

const mostErrors = 20

/** The log of a store, the newest first in `errors`. What cannot be written to a full disk is still shown. */
export async function openErrorLog(
  store: KioskStore,
  errors: Signal<readonly KioskError[]>,
): Promise<ErrorLog> {
  const kept = await store.read.getAll('errors')
  errors.value = kept.reverse().slice(0, mostErrors)

  const write = (error: KioskError) =>
    store.write(['errors'], async (transaction) => {
      const log = transaction.objectStore('errors')
      await log.add(error)
      const keys = await log.getAllKeys()
      await Promise.all(keys.slice(0, -mostErrors).map((key) => log.delete(key)))
    })

  return {
    add(error) {
      const last = errors.value[0]
      // A network that stays away is one trouble, however often it is asked.
      if (last?.kind === error.kind && last.code === error.code && error.at - last.at < 60_000) return
      errors.value = [error, ...errors.value].slice(0, mostErrors)
      write(error).catch(() => {})
    },
  }
}
