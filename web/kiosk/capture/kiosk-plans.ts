import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as v from 'valibot'
import { type KioskPlan, kioskPlan, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { KeptPlan, KioskStore, KioskTransaction, Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { unlessFull } from '#web/kiosk/core/origin-storage.ts'

/** The challenges that the server drew for this kiosk beforehand, each for one use. */
export interface KioskPlans {
  /** Keeps those that the server signed for this kiosk, and tells how many others there were. What is of no use any more goes. */
  keep(signed: readonly string[]): Promise<number>
  /** How many are left that have not expired, and ask what the configuration asks now. */
  unused(): Promise<number>
  /**
   * Takes a plan out, for one visit. [Note: Spent before it is shown] It is gone from the disk before anybody sees what it asks:
   * whatever happens to the page, nobody prepares for it.
   */
  reserve(): Promise<{ readonly signed: string; readonly claims: KioskPlan } | undefined>
}

interface Options {
  readonly store: KioskStore
  readonly pairing: () => Pairing | undefined
  /** Milliseconds since 1970, corrected. */
  readonly now: () => number
}

/** The plans of a store. */
export function createKioskPlans({ store, pairing, now }: Options): KioskPlans {
  const readSigned = async (signed: string): Promise<KioskPlan | undefined> => {
    const { kioskId, issuer, formerIssuers = [], planKeys } = pairing()!
    const keys = createLocalJWKSet({ keys: [...planKeys] })
    const demands = {
      typ: kioskTypes.plan,
      issuer: [issuer, ...formerIssuers],
      subject: kioskId,
      algorithms: ['ES256'],
      currentDate: new Date(now()),
    }
    const read = await jwtVerify(signed, keys, demands).catch(() => undefined)
    const claims = read && v.safeParse(kioskPlan, read.payload)
    return claims?.success ? claims.output : undefined
  }
  const isUsable = (plan: KeptPlan) => plan.expiresAt > now() && fits(plan, pairing())
  /** The plans of a transaction that are of use; the others are deleted in it. */
  const sortOut = async (transaction: KioskTransaction) => {
    const plans = transaction.objectStore('plans')
    const all = await plans.getAll()
    const useless = all.filter((plan) => !isUsable(plan))
    await Promise.all(useless.map(({ planId }) => plans.delete(planId)))
    return all.filter(isUsable)
  }
  const takeOne = () =>
    store.write(['plans'], async (transaction) => {
      const [soonest] = (await sortOut(transaction)).sort(byExpiry)
      if (soonest !== undefined) await transaction.objectStore('plans').delete(soonest.planId)
      return soonest
    })

  return {
    async keep(signed) {
      const read = await Promise.all(
        signed.map(async (plan) => ({ signed: plan, claims: await readSigned(plan) })),
      )
      const good = read.flatMap(({ signed, claims }): KeptPlan[] =>
        claims === undefined ? [] : [{ planId: claims.jti, signed, expiresAt: claims.exp * 1000 }],
      )
      const write = store.write(['plans'], async (transaction) => {
        await sortOut(transaction)
        await Promise.all(good.map((plan) => transaction.objectStore('plans').put(plan)))
      })
      await unlessFull(write)
      return signed.length - good.length
    },
    async unused() {
      const kept = await store.read.getAll('plans')
      return kept.filter(isUsable).length
    },
    async reserve() {
      for (let plan = await takeOne(); plan !== undefined; plan = await takeOne()) {
        const claims = await readSigned(plan.signed)
        if (claims !== undefined) return { signed: plan.signed, claims }
      }
      return undefined
    },
  }
}

/**
 * Whether a plan is for this kiosk and asks what its verification asks now. [Note: A stricter challenge counts at once] What was
 * drawn for a former one is left unused, however long it would last.
 */
function fits({ signed }: KeptPlan, pairing: Pairing | undefined): boolean {
  if (pairing === undefined) return true
  const { kioskId, configuration } = pairing
  const { challenge } = configuration.capturePlan
  const { sub, verificationId, challengeType, actionCount } = decodeJwt<Partial<KioskPlan>>(signed)
  if (sub !== kioskId || verificationId !== configuration.verificationId) return false
  return challenge === null || (challengeType === challenge.type && actionCount === challenge.actionCount)
}

function byExpiry(a: KeptPlan, b: KeptPlan): number {
  return a.expiresAt - b.expiresAt
}
