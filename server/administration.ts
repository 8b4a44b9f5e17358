import { type AccountService, createAccountService } from './accounts/account-service.ts'
import { type Accounts, createAccounts } from './accounts/accounts.ts'
import { createLogos, type Logos } from './accounts/logos.ts'
import { createDeletePerson, type DeletePerson } from './accounts/person-erasure.ts'
import { createPersonSessions } from './accounts/person-sessions.ts'
import { createAliases } from './audit/aliases.ts'
import { type Audit, createAudit } from './audit/audit.ts'
import { createAuditLog } from './audit/audit-log.ts'
import { type AuditService, createAuditService } from './audit/audit-service.ts'
import { auditedSessions } from './audit/audited-sessions.ts'
import { createVerificationStore } from './configuration/verification-store.ts'
import type { Outbound } from './http/outbound/outbound.ts'
import { type CaptureStore, createCaptureStore } from './kiosk/capture-store.ts'
import { createKioskReports, type KioskReports } from './kiosk/kiosk-reports.ts'
import type { Tally } from './operations/tally.ts'
import type { KeyRing } from './security/key-ring.ts'
import { createTokenKeys, type TokenKeys } from './security/token-keys.ts'
import { createAttempts } from './sessions/opening/attempts.ts'
import type { PictureMemory } from './sessions/pictures/picture-memory.ts'
import { createSessionStore, type SessionStore } from './sessions/session-store.ts'
import type { Clock, Store } from './store/store.ts'
import { createDeliveries, type Deliveries } from './webhook/deliveries.ts'
import { createDeliveryStore } from './webhook/delivery-store.ts'
import { createSendEvent, isTaken, type SendEvent } from './webhook/event.ts'
import { createWebhookService, type WebhookService } from './webhook/webhook-service.ts'

export interface AdministrationPorts {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly pictureMemory: PictureMemory
  readonly outbound: Outbound
  readonly now: Clock
  readonly webhookRetryAfterInMilliseconds: number
  readonly tally: Pick<Tally, 'webhookSent'>
  /** What fails without failing a request. */
  readonly onFailure: (error: unknown) => void
}

/** What manages accounts and what belongs to them: for the server, and for the command line beside it. */
export interface Administration {
  readonly accounts: Accounts
  readonly accountService: AccountService
  readonly logos: Logos
  readonly audit: Audit
  readonly auditService: AuditService
  readonly tokenKeys: TokenKeys
  /** Sessions, indexed by their person, and recorded and answered to their kiosk when they end. */
  readonly sessionStore: SessionStore
  /** What kiosks have sent. */
  readonly captures: CaptureStore
  readonly kioskReports: KioskReports
  readonly deliveries: Deliveries
  readonly webhookService: WebhookService
  readonly deletePerson: DeletePerson
}

/** Wires what manages accounts. `removeFaces` removes the faces of an external id and answers how many there were. */
export function createAdministration(
  ports: AdministrationPorts,
  removeFaces: (accountId: string, externalId: string) => Promise<number>,
): Administration {
  const { store, keyRing, pictureMemory, now, onFailure } = ports
  const auditLog = createAuditLog(store, keyRing, now)
  const accounts = createAccounts({ store, auditLog, keyRing, now })
  const logos = createLogos(store)
  const aliases = createAliases(store, accounts)
  const { ownerOf } = createVerificationStore(store)
  const audit = createAudit({ log: auditLog, aliases, ownerOf, onFailure })
  const index = createPersonSessions(store, accounts)
  const kioskReports = createKioskReports(store, now)
  const captures = createCaptureStore(store, kioskReports)
  const stored = captures.answered(index.indexed(createSessionStore(store, keyRing, now)))
  const sessionStore = auditedSessions(stored, audit)
  const deliveryStore = createDeliveryStore(store, now)
  const deliveries = createDeliveries({
    store,
    deliveries: deliveryStore,
    sendEvent: counted(createSendEvent(accounts, ports.outbound, now), ports.tally),
    retryAfterInMilliseconds: ports.webhookRetryAfterInMilliseconds,
    now,
  })
  const erasing = { store, index, sessions: sessionStore, deliveries: deliveryStore, pictureMemory, aliases }
  const attempts = createAttempts(store, undefined, now)
  return {
    accounts,
    accountService: createAccountService(accounts, logos),
    logos,
    audit,
    auditService: createAuditService(auditLog),
    tokenKeys: createTokenKeys(store, keyRing, now),
    sessionStore,
    captures,
    kioskReports,
    deliveries,
    webhookService: createWebhookService(deliveryStore, deliveries),
    deletePerson: createDeletePerson({ ...erasing, attempts, removeFaces }),
  }
}

function counted(send: SendEvent, tally: AdministrationPorts['tally']): SendEvent {
  return async (delivery) => {
    const outcome = await send(delivery)
    tally.webhookSent(isTaken(outcome))
    return outcome
  }
}
