import type { KioskRecord } from '#server/features/callers/callers.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { KioskStore } from './kiosk-store.ts'

/** How many of the server's recent addresses are remembered. Servers do not move more often within a plan's lifetime. */
const mostIssuers = 8

/** The issuers that a kiosk may name: the current one, and each one it was given before the server's address changed. */
export function issuersOf({ device }: KioskRecord, today: string): string[] {
  return [...new Set([today, ...(device?.issuers ?? [])])]
}

/** Records an issuer that the kiosk is about to receive. No-op if it has received it before. */
export type NoteIssuer = (kiosk: KioskRecord, issuer: string) => Promise<void>

/**
 * [Note: A server may move] A device signs for the issuer it was given, and keeps that issuer's plans for 30 days. For kiosks
 * that were paired before issuers were recorded, recording begins with their next sync.
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
