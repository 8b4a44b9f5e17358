import type { Signal } from '@preact/signals'
import type { KioskError } from './kiosk.ts'
import type { NoteError } from './kiosk-facts.ts'
import type { KioskStore } from './kiosk-store.ts'

const mostErrors = 20
const oneTroubleMilliseconds = 60_000

/**
 * Opens the log of recent errors. `errors` lists them newest first and survives a reload. If the disk is full, new errors
 * are still shown but not stored.
 */
export async function openErrorLog(
  store: KioskStore,
  errors: Signal<readonly KioskError[]>,
  now: () => number,
): Promise<NoteError> {
  const kept = await store.read.getAll('errors')
  errors.value = kept.reverse().slice(0, mostErrors)

  const write = (error: KioskError) =>
    store.write(['errors'], async (transaction) => {
      const log = transaction.objectStore('errors')
      await log.add(error)
      const keys = await log.getAllKeys()
      await Promise.all(keys.slice(0, -mostErrors).map((key) => log.delete(key)))
    })

  return (kind, code = null) => {
    const error = { at: now(), kind, code }
    const last = errors.value[0]
    // Repeated network errors count as one until the network is back.
    const isSame = last?.kind === kind && last.code === code && error.at - last.at < oneTroubleMilliseconds
    if (isSame) return
    errors.value = [error, ...errors.value].slice(0, mostErrors)
    write(error).catch(() => {})
  }
}
