import { randomUUID } from 'node:crypto'
import {
  answerFor,
  type HandlersOf,
  type KioskRecord,
  type PermitsOf,
} from '#server/features/callers/callers.ts'
import { refuseFaults } from '#server/features/packs/packs.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import { groupedCode, newReadableCode } from '#server/platform/crypto/readable-code.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { KioskReport, KioskReports } from './kiosk-reports.ts'
import type { KioskStore } from './kiosk-store.ts'
import { faultsAtKiosks } from './kiosk-verification.ts'

type ListedKiosk = ResultOf<typeof getAllKiosks>['kiosks'][number]

/** The administration of kiosks. */
export interface KioskAdministration
  extends HandlersOf<'configuration', 'createKiosk' | 'getAllKiosks' | 'revokeKiosk'> {
  readonly permits: PermitsOf<'createKiosk'>
  /** When the server last heard from each paired kiosk, in milliseconds since 1970. */
  contacts(accountId: string): Promise<{ readonly kioskId: string; readonly lastSeen: number }[]>
}

interface Dependencies {
  kiosks: KioskStore
  reports: KioskReports
  verifications: Pick<Verifications, 'find'>
  events: Pick<Events, 'prepare'>
  /** The pages' public origin. */
  origin: () => string
  now: Clock
}

export function createKioskAdministration(services: Dependencies): KioskAdministration {
  const { kiosks, reports, verifications, events, origin, now } = services

  async function switchOff(accountId: string, kioskId: string): Promise<true | undefined> {
    const read = await kiosks.readRecord(accountId, kioskId)
    if (read === undefined) throw new Problem('not_found', 'The kiosk does not exist.')
    if (read.value.revoked !== null) return true
    const prepared = await events.prepare(accountId, { event: 'KioskRevoked', kioskId })
    if (!(await kiosks.replace(read, { ...read.value, revoked: now() }, prepared.writes))) return undefined
    prepared.send()
    return true
  }

  return {
    async createKiosk({ body: { name, verificationId, locale = null }, caller }) {
      const { accountId } = caller
      answerFor(caller, ['kioskMade'])
      refuseUnfitName('#/name', name)
      const verification = await verifications.find(accountId, verificationId)
      if (verification === undefined) throw new Problem('not_found', 'The verification does not exist.')
      refuseFaults(faultsAtKiosks(verification.verificationConfig))
      const created = now()
      const pairingEnds = created + kioskLimits.pairingInMinutes * 60_000
      const kioskId = randomUUID()
      const begun = { kioskId, accountId, name, verificationId, locale, created, pairingEnds }
      const code = newReadableCode()
      if (!(await kiosks.add({ ...begun, device: null, revoked: null }, code))) throw busy()
      return {
        kioskId,
        pairingCode: groupedCode(code),
        pairingExpirationUtcTime: timeOf(pairingEnds),
        pairingUrl: `${origin()}/kiosk#${code}`,
      }
    },
    async getAllKiosks({ caller: { accountId } }) {
      const found: KioskRecord[] = []
      for await (const kiosk of kiosks.list(accountId)) found.push(kiosk)
      found.sort((a, b) => a.created - b.created || a.name.localeCompare(b.name))
      return { kiosks: await Promise.all(found.map(async (k) => listed(k, await reports.get(k.kioskId)))) }
    },
    async revokeKiosk({ query: { kioskId }, caller: { accountId } }) {
      await retryOnConflict(() => switchOff(accountId, kioskId), busy)
      return {}
    },
    async contacts(accountId) {
      const found: { kioskId: string; lastSeen: number }[] = []
      for await (const { kioskId, device, revoked } of kiosks.list(accountId)) {
        if (device === null || revoked !== null) continue
        found.push({ kioskId, lastSeen: (await reports.get(kioskId)).lastSeen ?? device.pairedAt })
      }
      return found
    },
    permits: { createKiosk: async ({ caller }) => answerFor(caller, ['kioskMade']) },
  }
}

function listed(kiosk: KioskRecord, report: KioskReport): ListedKiosk {
  const { kioskId, name, verificationId, locale, created, device } = kiosk
  const { lastSeen, queued, storage, clockDriftInSeconds, lastSequence, receivedCount } = report
  return {
    kioskId,
    name,
    verificationId,
    locale,
    state: stateOf(kiosk),
    createdUtcTime: timeOf(created),
    pairedUtcTime: device && timeOf(device.pairedAt),
    lastSeenUtcTime: lastSeen === null ? null : timeOf(lastSeen),
    queued,
    storage,
    clockDriftInSeconds,
    clockIsOff: Math.abs(clockDriftInSeconds ?? 0) > kioskLimits.driftInSeconds,
    lastSequence,
    receivedCount,
  }
}

function stateOf({ device, revoked }: KioskRecord): ListedKiosk['state'] {
  if (revoked !== null) return 'Revoked'
  return device === null ? 'Created' : 'Paired'
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

function busy(): Problem {
  return new Problem('overloaded', 'The kiosk is being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}
