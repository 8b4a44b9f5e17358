import { Problem } from '#shared/problem.ts'
import type { PairingTrouble, Unpairing } from '#web/kiosk/core/kiosk.ts'
import type { KioskParts } from '#web/kiosk/core/kiosk-parts.ts'
import { clearStore, type Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { askToPersist } from '#web/kiosk/core/origin-storage.ts'
import { troubleOf } from '#web/kiosk/core/trouble.ts'
import { keepDeviceKey, publicJwk } from '#web/kiosk/delivery/device-key.ts'
import type { PairingAnswer, SyncAnswer } from '#web/kiosk/delivery/kiosk-client.ts'

/** Pairs the kiosk with its server, keeps it up to date, and parts it again. */
export interface PairingDesk {
  pair(code: string): Promise<PairingTrouble | undefined>
  /** False where the server could not be reached, or refused. */
  sync(): Promise<boolean>
  unpair(typedName: string, loseWaiting: boolean): Promise<Unpairing>
}

/** The desk of a kiosk. */
export function createPairingDesk(parts: KioskParts): PairingDesk {
  const { facts, store, client, plans, refresh, keepPairing, note } = parts

  const take = async (known: Pick<Pairing, 'kioskId' | 'issuer'>, answer: SyncAnswer) => {
    const { configuration, sealingKey, planKeys } = answer
    await keepPairing({ ...known, configuration, sealingKey, planKeys, isRevoked: false })
    const refused = await plans.keep(answer.plans)
    if (refused > 0) note('planRefused')
    facts.online.value = true
    await refresh()
  }
  const askSync = async () => {
    await refresh()
    const { waiting, lastSequence } = facts.counts.value
    const { usedBytes, quotaBytes } = facts.storage.value
    const storage = { usedBytes, quotaBytes: Math.min(quotaBytes, Number.MAX_SAFE_INTEGER) }
    const unusedPlanCount = facts.unusedPlans.value
    return client.sync({ queued: waiting, storage, unusedPlanCount, lastSequence })
  }

  return {
    async pair(code) {
      if (facts.pairing.value !== undefined) return 'gone'
      try {
        const key = await keepDeviceKey(store)
        const answer: PairingAnswer = await client.pair({
          pairingCode: code,
          publicKey: await publicJwk(key),
        })
        await askToPersist()
        await take({ kioskId: answer.kioskId, issuer: answer.issuer }, answer)
        return undefined
      } catch (error) {
        return pairingTroubleOf(error)
      }
    },
    async sync() {
      const known = facts.pairing.value
      if (known === undefined) return false
      try {
        await take(known, await askSync())
        return true
      } catch (error) {
        const { kind, code } = troubleOf(error)
        note(kind, code)
        facts.online.value = error instanceof Problem
        if (kind === 'revoked') await keepPairing({ ...known, isRevoked: true })
        await refresh()
        return false
      }
    },
    async unpair(typedName, loseWaiting) {
      const known = facts.pairing.value
      if (known === undefined) return 'unpaired'
      if (typedName.trim() !== known.configuration.name.trim()) return 'wrongName'
      await refresh()
      const { waiting, setAside } = facts.counts.value
      if (waiting + setAside > 0 && !loseWaiting) return 'waiting'
      await clearStore(store)
      client.forget()
      facts.pairing.value = undefined
      facts.errors.value = []
      await refresh()
      return 'unpaired'
    },
  }
}

function pairingTroubleOf(error: unknown): PairingTrouble {
  if (!(error instanceof Problem) || error.status >= 500) return 'unreachable'
  if (error.status === 429) return 'tooMany'
  return error.status === 410 || error.status === 404 ? 'gone' : 'wrong'
}
