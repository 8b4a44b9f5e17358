import type { KioskRecord } from '#server/features/callers/callers.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { syncKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'
import { configurationOf } from './configuration.ts'
import type { KioskKeys } from './kiosk-keys.ts'
import type { Follow } from './kiosk-verification.ts'
import type { Plans } from './plans.ts'

type Provisions = ResultOf<typeof syncKiosk>

/** Everything that a kiosk needs offline, including plans to replace used ones. @throws {Problem} 404 without its verification */
export type Provide = (kiosk: KioskRecord, unusedPlanCount: number) => Promise<Provisions>

interface Dependencies {
  follow: Follow
  keys: KioskKeys
  plans: Plans
  region: Region
  issuer: () => string
  now: Clock
}

export function createProvide({ follow, keys, plans, region, issuer, now }: Dependencies): Provide {
  return async (kiosk, unusedPlanCount) => {
    const { account, configured } = await follow(kiosk)
    const configuration = configurationOf(kiosk, account, configured, region)
    const { challenge } = configuration.capturePlan
    const drawn = challenge && { challengeType: challenge.type, actionCount: challenge.actionCount }
    const lacking = Math.max(0, kioskLimits.unusedPlans - unusedPlanCount)
    return {
      issuer: issuer(),
      configuration,
      sealingKey: (await keys.sealing.current()).publicJwk as Provisions['sealingKey'],
      planKeys: (await keys.plan.publicKeys()).keys as Provisions['planKeys'],
      plans: drawn === null ? [] : await plans.draw(kiosk, drawn, lacking),
      utcTime: new Date(now()).toISOString(),
    }
  }
}
