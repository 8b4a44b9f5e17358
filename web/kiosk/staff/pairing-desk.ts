import { Problem } from '#shared/problem.ts'
import type { KioskPlans } from '#web/kiosk/capture/kiosk-plans.ts'
import type { KioskErrorKind, PairingTrouble, UnpairingResult } from '#web/kiosk/core/kiosk.ts'
import type { KioskClock } from '#web/kiosk/core/kiosk-clock.ts'
import type { KioskFacts, NoteError } from '#web/kiosk/core/kiosk-facts.ts'
import { clearStore, type KioskStore, type Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { askToPersist, unlessFull } from '#web/kiosk/core/origin-storage.ts'
import { troubleOf } from '#web/kiosk/core/trouble.ts'
import { keepDeviceKey, publicJwk } from '#web/kiosk/delivery/device-key.ts'
import type { KioskClient, SyncAnswer } from '#web/kiosk/delivery/kiosk-client.ts'
import type { Reserve } from '#web/kiosk/delivery/reserve.ts'

/** How many issuers the server remembers, including the current one. */
const mostFormerIssuers = 7

/** Pairs the kiosk with its server, synchronises it, and unpairs it. */
export type PairingDesk = ReturnType<typeof createPairingDesk>

interface Options {
  readonly facts: KioskFacts
  readonly store: KioskStore
  readonly reserve: Pick<Reserve, 'within'>
  readonly clock: Pick<KioskClock, 'offset'>
  readonly client: KioskClient
  readonly plans: Pick<KioskPlans, 'keep'>
  readonly refresh: () => Promise<void>
  readonly note: NoteError
}

/** Creates a kiosk's pairing desk. */
export function createPairingDesk(options: Options) {
  const { facts, store, client, refresh, note } = options
  const hear = async (kind: KioskErrorKind, code: string | null, known = facts.pairing.value) => {
    note(kind, code)
    if (kind === 'revoked' && known !== undefined)
      await keepPairing(options, { ...known, isRevoked: true }, known)
  }
  const syncAs = async (known: Pairing) =>
    take(options, known.kioskId, await client.sync(standingOf(facts)), known)

  return {
    /** Logs a server error. If the server has rejected this kiosk for good, that is remembered. */
    hear: (kind: KioskErrorKind, code: string | null) => void hear(kind, code).catch(() => {}),
    async pair(code: string): Promise<PairingTrouble | undefined> {
      if (facts.pairing.value !== undefined) return 'gone'
      try {
        const publicKey = await publicJwk(await keepDeviceKey(store))
        const answer = await client.pair({ pairingCode: code, publicKey })
        await take(options, answer.kioskId, answer, undefined)
        askToPersist()
          .then(refresh)
          .catch(() => {})
        return undefined
      } catch (error) {
        return pairingTroubleOf(error)
      }
    },
    /** Resolves to false if the server could not be reached or rejected the request. */
    async sync(): Promise<boolean> {
      const known = facts.pairing.value
      if (known === undefined) return false
      try {
        await refresh()
        const before = facts.unusedPlans.value
        await syncAs(known)
        // The challenge has changed, so new plans replace the deleted ones.
        const now = facts.pairing.value
        if (facts.unusedPlans.value < before && now !== undefined && isStill(facts, known)) await syncAs(now)
        return true
      } catch (error) {
        const { kind, code } = troubleOf(error)
        facts.online.value = error instanceof Problem
        await hear(kind, code, known)
        await refresh()
        return false
      }
    },
    unpair: (typedName: string, loseWaiting: boolean) => unpair(options, typedName, loseWaiting),
  }
}

/** Stores the server's answer if the device still has the pairing `known`. */
async function take(
  options: Options,
  kioskId: string,
  answer: SyncAnswer,
  known: Pairing | undefined,
): Promise<void> {
  const { facts, plans, note, refresh } = options
  const { configuration, sealingKey, planKeys } = answer
  const kept = { kioskId, configuration, sealingKey, planKeys, isRevoked: false }
  const pairing = { ...kept, ...issuersAfter(answer.issuer, known) }
  if (!(await keepPairing(options, pairing, known))) return
  const refused = await plans.keep(answer.plans)
  if (refused > 0) note('planRefused')
  facts.online.value = true
  await refresh()
}

async function unpair(
  { facts, store, client, refresh }: Options,
  typedName: string,
  loseWaiting: boolean,
): Promise<UnpairingResult> {
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
}

/**
 * Stores a pairing and the clock correction. [Note: Unpaired devices stay unpaired] Answers can arrive after the device was unpaired or
 * paired again, so if the kiosk is no longer `known` or its key was deleted, this stores nothing and returns false.
 */
async function keepPairing(
  { facts, store, reserve, clock }: Pick<Options, 'facts' | 'store' | 'reserve' | 'clock'>,
  pairing: Pairing,
  known: Pairing | undefined,
): Promise<boolean> {
  let isWanted = false
  const write = () =>
    store.write(['identity', 'notes'], async (transaction) => {
      const identity = transaction.objectStore('identity')
      isWanted = (await identity.get('deviceKey')) !== undefined && isStill(facts, known)
      if (!isWanted) return
      await identity.put(pairing, 'pairing')
      await transaction.objectStore('notes').put({ offset: clock.offset() }, 'clock')
    })
  await unlessFull(reserve.within('roomForNotes', write))
  if (!isWanted || !isStill(facts, known)) return false
  facts.pairing.value = pairing
  return true
}

/** [Note: A server may move] The current issuer, which older servers leave out of a sync, followed by earlier ones. */
function issuersAfter(
  newest: string | undefined,
  known: Pairing | undefined,
): Pick<Pairing, 'issuer' | 'formerIssuers'> {
  if (known === undefined) return { issuer: newest! }
  const { issuer, formerIssuers = [] } = known
  if (newest === undefined || newest === issuer) return { issuer, formerIssuers }
  const former = [issuer, ...formerIssuers.filter((one) => one !== newest)]
  return { issuer: newest, formerIssuers: former.slice(0, mostFormerIssuers) }
}

/** True if the device still has the same pairing, or is still unpaired. */
function isStill({ pairing }: Pick<KioskFacts, 'pairing'>, known: Pairing | undefined): boolean {
  return pairing.value?.kioskId === known?.kioskId
}

/** The kiosk's status report for the server. */
function standingOf({ counts, storage, unusedPlans }: KioskFacts): Parameters<KioskClient['sync']>[0] {
  const { waiting: queued, lastSequence } = counts.value
  const { usedBytes, quotaBytes } = storage.value
  return {
    queued,
    storage: { usedBytes, quotaBytes: Math.min(quotaBytes, Number.MAX_SAFE_INTEGER) },
    unusedPlanCount: unusedPlans.value,
    lastSequence,
  }
}

function pairingTroubleOf(error: unknown): PairingTrouble {
  if (!(error instanceof Problem) || error.status >= 500) return 'unreachable'
  if (error.status === 429) return 'tooMany'
  return error.status === 410 || error.status === 404 ? 'gone' : 'wrong'
}
