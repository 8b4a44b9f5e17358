import type { JudgeStep } from '#models/rules/challenge/step-judgement.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { AnonymousCaller, KioskCaller } from '#server/accounts/caller.ts'
import type { Audit } from '#server/audit/audit.ts'
import type { Verifications } from '#server/configuration/verifications.ts'
import type { KeyRing } from '#server/security/key-ring.ts'
import type { Tokens } from '#server/security/tokens.ts'
import type { Completion } from '#server/sessions/judging/completion.ts'
import type { Judging } from '#server/sessions/judging/judging.ts'
import type { Decide } from '#server/sessions/judging/submission.ts'
import type { Watch } from '#server/sessions/judging/watch.ts'
import { createAttempts } from '#server/sessions/opening/attempts.ts'
import type { SessionStore } from '#server/sessions/session-store.ts'
import type { Clock, Store } from '#server/store/store.ts'
import type { Turns } from '#server/store/turns.ts'
import type { submitKiosk, syncKiosk, tokenKiosk } from '#shared/contract/kiosk/kiosk-device.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { Region } from '#shared/hosts.ts'
import { type AdmitKiosk, createAdmitKiosk } from './admission.ts'
import { createReadAssertion } from './assertions.ts'
import { createOpenCapture } from './capture-opening.ts'
import { createTakeCapture } from './capture-sessions.ts'
import type { CaptureStore } from './capture-store.ts'
import { createSubmitKiosk } from './capture-submission.ts'
import { createKioskKeys } from './kiosk-keys.ts'
import type { KioskReports } from './kiosk-reports.ts'
import { createKioskStore } from './kiosk-store.ts'
import { createTokenKiosk } from './kiosk-token.ts'
import { createKiosks, type Kiosks } from './kiosks.ts'
import { createPairKiosk, type PairKiosk } from './pairing.ts'
import { createPlans } from './plans.ts'
import { createProvide } from './provisions.ts'
import { createSyncKiosk } from './sync.ts'

/** Everything that concerns kiosks. */
export interface KioskService extends Kiosks {
  readonly pair: PairKiosk
  readonly token: Handler<typeof tokenKiosk, AnonymousCaller>
  readonly sync: Handler<typeof syncKiosk, KioskCaller>
  readonly submit: Handler<typeof submitKiosk, KioskCaller>
  readonly admit: AdmitKiosk
}

interface Dependencies {
  store: Store
  keyRing: KeyRing
  accounts: Accounts
  verifications: Verifications
  tokens: Tokens
  audit: Audit
  captures: CaptureStore
  kioskReports: KioskReports
  sessions: SessionStore
  completion: Completion
  judging: Judging
  turns: Turns
  watch: Watch
  judgeStep: JudgeStep
  decide: Decide
  allowedActions: readonly Action[]
  /** Undefined where attempts are not limited: no wrong codes are then either. */
  attemptLimit: number | undefined
  /** The public origin of the pages, which plans name as their issuer and assertions as whom they are for. */
  origin: () => string
  region: Region
  now: Clock
}

const mostWrongCodes = 5

export function createKioskService(services: Dependencies): KioskService {
  const { store, keyRing, tokens, kioskReports: reports, origin: issuer, now } = services
  const kiosks = createKioskStore(store)
  const keys = createKioskKeys(store, keyRing, now)
  const plans = createPlans({ ...services, keys: keys.plan, issuer })
  const provide = createProvide({ ...services, keys, plans })
  const wrongCodes = services.attemptLimit === undefined ? undefined : mostWrongCodes
  const attempts = createAttempts(store, wrongCodes, now, kioskLimits.pairingInMinutes * 60)
  const readAssertion = createReadAssertion({ store, kiosks, issuer, now })
  return {
    ...createKiosks({ ...services, kiosks, reports }),
    pair: createPairKiosk({ ...services, kiosks, reports, attempts, provide, issuer }),
    token: createTokenKiosk(readAssertion, tokens, reports, now),
    sync: createSyncKiosk({ reports, provide, now }),
    submit: createSubmitKiosk({
      ...services,
      reports,
      openCapture: createOpenCapture(keys.sealing),
      takeCapture: createTakeCapture({ ...services, kiosks, plans }),
    }),
    admit: createAdmitKiosk(kiosks),
  }
}
