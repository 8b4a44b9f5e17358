import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as v from 'valibot'
import { type KioskPlan, kioskPlan, kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { KeptPlan, KioskStore, KioskTransaction, Pairing } from '#web/kiosk/core/kiosk-store.ts'
import { unlessFull } from '#web/kiosk/core/origin-storage.ts'

/** Challenges that the server drew for this kiosk in advance. Each one can be used once. */
export interface KioskPlans {
  /** Stores the plans that the server signed for this kiosk and deletes useless ones. Returns how many plans were rejected. */
  keep(signed: readonly string[]): Promise<number>
  /** How many plans have not expired and match the current configuration. */
  unused(): Promise<number>
  /**
   * Removes a plan for one visit. [Note: Spent before it is shown] It is deleted from the disk before its actions appear, so a
   * person cannot prepare for them by reloading the page.
   */
  reserve(): Promise<{ readonly signed: string; readonly claims: KioskPlan } | undefined>
}

interface Options {
  readonly store: KioskStore
  readonly pairing: () => Pairing | undefined
  /** The corrected time, in milliseconds since 1970. */
  readonly now: () => number
}

/** Creates the plans for a store. */
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
  /** Returns a transaction's usable plans and deletes the others. */
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
 * True if a plan belongs to this kiosk and fits its verification. [Note: A stricter challenge counts at once] Plans for an
 * earlier configuration are not used, even if they have not expired.
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
