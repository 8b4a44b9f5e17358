import type { KioskRecord } from '#server/features/callers/callers.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { KioskStore } from './kiosk-store.ts'

/** So many addresses of the server are remembered, the newest: nobody moves a server more often while a plan lasts. */
const mostIssuers = 8

/** The issuers that a kiosk may name: the one of today, and each that it was told before the server's address changed. */
export function issuersOf({ device }: KioskRecord, today: string): string[] {
  return [...new Set([today, ...(device?.issuers ?? [])])]
}

/** Remembers, with the kiosk, an issuer that it is about to be told. Writes nothing where it was told that one before. */
export type NoteIssuer = (kiosk: KioskRecord, issuer: string) => Promise<void>

/**
 * [Note: A server may move] A device signs for the issuer that it was told, and keeps plans of that issuer for 30 days.
 * Kiosks that were paired before this was remembered are known by the issuer of their next sync on.
 */
export function createNoteIssuer(kiosks: Pick<KioskStore, 'readRecord' | 'replace'>): NoteIssuer {
  return async ({ accountId, kioskId, device }, issuer) => {
    if (device === null || device.issuers?.includes(issuer)) return
    await retryOnConflict(async () => {
      const read = await kiosks.readRecord(accountId, kioskId)
      if (read === undefined || read.value.device === null) return true
      const issuers = [...new Set([...(read.value.device.issuers ?? []), issuer])].slice(-mostIssuers)
      const noted = { ...read.value, device: { ...read.value.device, issuers } }
      return (await kiosks.replace(read, noted)) || undefined
    }, busyKiosk)
  }
}

function busyKiosk(): Problem {
  return new Problem('overloaded', 'The kiosk is being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}
