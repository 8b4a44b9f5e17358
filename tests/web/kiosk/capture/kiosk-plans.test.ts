import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { kioskTypes } from '#shared/contract/kiosk/kiosk-capture.ts'
import { createKioskPlans } from '#web/kiosk/capture/kiosk-plans.ts'
import type { KeptPlan, KioskStore, Pairing } from '#web/kiosk/core/kiosk-store.ts'

type Challenge = Pairing['configuration']['capturePlan']['challenge']

const balanced: Challenge = { type: 'Balanced', actionCount: 1 }
const advanced: Challenge = { type: 'Advanced', actionCount: 3 }
const now = 1_800_000_000_000
const issuer = 'https://check.example'

let privateKey: CryptoKey
let planKeys: Pairing['planKeys']
beforeAll(async () => {
  const made = await generateKeyPair('ES256')
  privateKey = made.privateKey
  planKeys = [
    { ...(await exportJWK(made.publicKey)), kid: 'p1', alg: 'ES256', use: 'sig' },
  ] as Pairing['planKeys']
})

/** A plan as the server signs it for kiosk `k1`. */
function signed(jti: string, challenge: Challenge = balanced, more: object = {}): Promise<string> {
  const { type: challengeType, actionCount } = challenge!
  const iat = now / 1000
  const claims = { jti, sub: 'k1', iss: issuer, verificationId: 'v1', challengeType, actionCount }
  const asked = { actions: ['smile', 'turnLeft', 'turnRight'], timeLimitInSeconds: 10 }
  return new SignJWT({ ...claims, ...asked, iat, exp: iat + 3600, ...more })
    .setProtectedHeader({ alg: 'ES256', kid: 'p1', typ: kioskTypes.plan })
    .sign(privateKey)
}

/** Kiosk `k1`'s plans. Its verification can switch to another challenge. */
function openPlans() {
  const kept = new Map<string, KeptPlan>()
  const plansStore = {
    getAll: async () => [...kept.values()],
    put: async (plan: KeptPlan) => void kept.set(plan.planId, plan),
    delete: async (planId: string) => void kept.delete(planId),
  }
  const store = {
    read: { getAll: plansStore.getAll },
    write: async (_: unknown, work: (transaction: unknown) => Promise<unknown>) =>
      work({ objectStore: () => plansStore }),
  } as unknown as KioskStore
  let [time, challenge, kioskId, moved] = [now, balanced, 'k1', {}]
  const pairing = () => {
    const configuration = { verificationId: 'v1', capturePlan: { challenge } }
    return { kioskId, issuer, planKeys, configuration, ...moved } as unknown as Pairing
  }
  const plans = createKioskPlans({ store, pairing, now: () => time })
  return {
    ...plans,
    ids: () => [...kept.keys()],
    ask: (next: Challenge) => {
      challenge = next
    },
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    move: () => {
      moved = { issuer: 'https://new.example', formerIssuers: [issuer] }
    },
    pairAs: (other: string) => {
      kioskId = other
    },
  }
}

test('plans of a former challenge are invalid, and never shown', async () => {
  const plans = openPlans()
  await plans.keep([await signed('b1'), await signed('b2')])
  expect(await plans.unused()).toBe(2)
  plans.ask(advanced)
  expect(await plans.unused()).toBe(0)
  expect(await plans.reserve()).toBeUndefined()
  expect(plans.ids()).toEqual([])
})

test('the next plans replace those of a former challenge', async () => {
  const plans = openPlans()
  await plans.keep([await signed('b1')])
  plans.ask(advanced)
  expect(await plans.keep([await signed('a1', advanced)])).toBe(0)
  expect(plans.ids()).toEqual(['a1'])
  expect((await plans.reserve())?.claims).toMatchObject({ jti: 'a1', challengeType: 'Advanced' })
})

test('plans are kept while no challenge is configured', async () => {
  const plans = openPlans()
  await plans.keep([await signed('b1')])
  plans.ask(null)
  expect(await plans.unused()).toBe(1)
})

test.each([
  ['another kiosk', { sub: 'k2' }],
  ['another server', { iss: 'https://other.example' }],
])('a plan of %s is not stored, and is counted', async (_name, claims) => {
  const plans = openPlans()
  expect(await plans.keep([await signed('x', balanced, claims)])).toBe(1)
  expect(plans.ids()).toEqual([])
})

test('expired plans, and those of another kiosk on this device, are dropped with the next plans', async () => {
  const plans = openPlans()
  await plans.keep([await signed('b1')])
  plans.pass(3600_000)
  expect(await plans.unused()).toBe(0)
  await plans.keep([])
  expect(plans.ids()).toEqual([])
  const others = openPlans()
  await others.keep([await signed('b1')])
  others.pairAs('k2')
  expect(await others.unused()).toBe(0)
})

test('plans of a server that moved since are still shown', async () => {
  const plans = openPlans()
  await plans.keep([await signed('b1')])
  plans.move()
  expect(await plans.keep([await signed('b2', balanced, { iss: 'https://new.example' })])).toBe(0)
  expect((await plans.reserve())?.claims.jti).toBe('b1')
  expect((await plans.reserve())?.claims.jti).toBe('b2')
})
