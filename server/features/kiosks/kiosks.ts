import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { Audit } from '#server/features/audit/audit.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import { createAttempts, type Sessions } from '#server/features/sessions/sessions.ts'
import type { Tokens } from '#server/features/tokens/tokens.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Region } from '#shared/hosts.ts'
import { type AdmitKiosk, createAdmitKiosk } from './admission.ts'
import { createReadAssertion } from './assertions.ts'
import { createOpenCapture } from './capture-opening.ts'
import { createTakeCapture } from './capture-sessions.ts'
import { type CaptureStore, createCaptureStore } from './capture-store.ts'
import { createSubmitKiosk } from './capture-submission.ts'
import { createNoteIssuer } from './issuers.ts'
import { createKioskAdministration, type KioskAdministration } from './kiosk-administration.ts'
import { createKioskKeys } from './kiosk-keys.ts'
import { createKioskReports, type KioskReports } from './kiosk-reports.ts'
import { createKioskStore, type KioskStore } from './kiosk-store.ts'
import { createTokenKiosk } from './kiosk-token.ts'
import { createFollow } from './kiosk-verification.ts'
import { createPairKiosk } from './pairing.ts'
import { createPlans } from './plans.ts'
import { createProvide } from './provisions.ts'
import { createSyncKiosk } from './sync.ts'

export type { AdmitKiosk } from './admission.ts'
export type { KioskAdministration } from './kiosk-administration.ts'

/** The limit on wrong pairing codes from one address, if attempts are limited. */
const mostWrongCodes = 5

/** Storage for kiosks and their captures. Created before sessions, because a session's end answers its capture. */
export interface KioskRecords {
  readonly kiosks: KioskStore
  readonly reports: KioskReports
  readonly captures: CaptureStore
}

/** [Note: What was revoked stays refused] `isWithdrawn` knows about revocations that a record may no longer show. */
export function createKioskRecords(
  store: Store,
  now: Clock,
  isWithdrawn?: (accountId: string, kioskId: string) => boolean,
): KioskRecords {
  const reports = createKioskReports(store, now)
  return {
    kiosks: createKioskStore(store, isWithdrawn),
    reports,
    captures: createCaptureStore(store, reports),
  }
}

/** The handlers for all kiosk endpoints. */
type KioskHandlers = KioskAdministration &
  HandlersOf<'configuration', 'pairKiosk' | 'tokenKiosk' | 'syncKiosk' | 'submitKiosk'>

/** Devices that check people offline: their administration, their own calls, and their tokens. */
export interface KioskFeature {
  readonly kiosks: KioskHandlers
  readonly admitKiosk: AdmitKiosk
}

interface Ports {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly region: Region
  /** The pages' public origin. */
  readonly origin: () => string
  readonly challengeActions: readonly Action[]
  /** Decodes pictures; runs in the event loop if absent. */
  readonly decodeBase64?: DecodeBase64
  readonly attemptLimit: number | undefined
  readonly now: Clock
}

/** The features that kiosks build on. */
interface BuiltOn extends Pick<Sessions, 'sessionStore' | 'submit'> {
  readonly accounts: Accounts
  readonly audit: Audit
  readonly events: Events
  readonly tokens: Tokens
  readonly verifications: Verifications
  readonly kioskRecords: KioskRecords
}

export function createKiosks(ports: Ports, known: BuiltOn): KioskFeature {
  return {
    kiosks: createHandlers(ports, known),
    admitKiosk: createAdmitKiosk(known.kioskRecords.kiosks),
  }
}

function createHandlers(
  ports: Ports,
  { accounts, audit, events, tokens, verifications, sessionStore: sessions, submit, kioskRecords }: BuiltOn,
): KioskHandlers {
  const {
    store,
    keyRing,
    region,
    origin,
    challengeActions: allowedActions,
    attemptLimit,
    decodeBase64,
    now,
  } = ports
  const { kiosks, reports, captures } = kioskRecords
  const keys = createKioskKeys(store, keyRing, now)
  const plans = createPlans({ keys: keys.plan, issuer: origin, allowedActions, now })
  const follow = createFollow(accounts, verifications)
  const provide = createProvide({ follow, keys, plans, region, issuer: origin, now })
  const wrongCodes = attemptLimit === undefined ? undefined : mostWrongCodes
  const attempts = createAttempts(store, wrongCodes, now, kioskLimits.pairingInMinutes * 60)
  const takeCapture = createTakeCapture({
    store,
    follow,
    openCapture: createOpenCapture(keys.sealing, decodeBase64),
    kiosks,
    captures,
    sessions,
    plans,
    audit,
    events,
    now,
  })
  const readAssertion = createReadAssertion({ store, kiosks, issuer: origin, now })
  return {
    ...createKioskAdministration({ kiosks, reports, verifications, events, origin, now }),
    pairKiosk: createPairKiosk({ kiosks, reports, attempts, audit, provide, now }),
    tokenKiosk: createTokenKiosk(readAssertion, tokens, reports, now),
    syncKiosk: createSyncKiosk({
      reports,
      provide,
      noteIssuer: createNoteIssuer(kiosks),
      issuer: origin,
      now,
    }),
    submitKiosk: createSubmitKiosk({ captures, sessions, takeCapture, submit, reports }),
  }
}
