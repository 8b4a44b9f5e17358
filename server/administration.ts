import { createAccountService } from './accounts/account-service.ts'
import { type Accounts, createAccounts } from './accounts/accounts.ts'
import { createApiKeys } from './accounts/api-keys.ts'
import { createLogos } from './accounts/logos.ts'
import { createDeletePerson } from './accounts/person-erasure.ts'
import { createPersonSessions } from './accounts/person-sessions.ts'
import { createAliases } from './audit/aliases.ts'
import { createAudit } from './audit/audit.ts'
import { createAuditLog, type OnAuditHead } from './audit/audit-log.ts'
import { createAuditService } from './audit/audit-service.ts'
import { createRequestLog } from './audit/requests/request-log.ts'
import { createRequestService } from './audit/requests/request-service.ts'
import { createToldOutside, type ToldOutside } from './audit/told-outside.ts'
import { createIsWithdrawn } from './audit/withdrawals.ts'
import { createVerificationStore } from './configuration/verification-store.ts'
import { createInvitations } from './console/invitations.ts'
import { createLockOut } from './console/lock-out.ts'
import { createOwnerNotices } from './console/notices/owner-notices.ts'
import { createOperatorStore } from './console/operator-store.ts'
import { createKeptAnswers } from './http/idempotency/kept-answers.ts'
import type { Outbound } from './http/outbound/outbound.ts'
import { createKioskStore } from './kiosk/kiosk-store.ts'
import type { Tally } from './operations/figures/tally.ts'
import type { KeyRing } from './security/key-ring.ts'
import { createTokenKeys } from './security/token-keys.ts'
import { createVisitStore } from './sessions/earlier/visit-store.ts'
import { createSessionRows } from './sessions/listing/session-rows.ts'
import { createAttempts } from './sessions/opening/attempts.ts'
import { createSuspicions } from './sessions/opening/suspicions.ts'
import { createResetPasskeys } from './sessions/passkeys/passkey-reset.ts'
import { createPasskeyStore } from './sessions/passkeys/passkey-store.ts'
import type { PictureMemory } from './sessions/pictures/picture-memory.ts'
import { createSessionStore } from './sessions/session-store.ts'
import { createUsageCounts } from './sessions/usage/usage-counts.ts'
import type { Clock, Store } from './store/store.ts'
import { createDeliveries } from './webhook/deliveries.ts'
import { createDeliveryStore } from './webhook/delivery-store.ts'
import { createEndpointService } from './webhook/endpoint-service.ts'
import { createEndpointStore } from './webhook/endpoint-store.ts'
import { createSendEvent } from './webhook/event.ts'
import { createEventBodies } from './webhook/event-body.ts'
import { createEvents } from './webhook/events.ts'
import { createWebhookService } from './webhook/webhook-service.ts'

export interface AdministrationPorts {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly pictureMemory: PictureMemory
  readonly outbound: Outbound
  readonly now: Clock
  readonly webhookRetryAfterInMilliseconds: number
  readonly tally: Pick<Tally, 'webhookSent' | 'webhookLost'>
  /** Told of each new end of an audit log. */
  readonly onAuditHead?: OnAuditHead
  /** What is known of audit logs from outside the store; nothing at first where absent. */
  readonly toldOutside?: ToldOutside
  /** What fails without failing a request; with the id of the one beside which it failed, where there was one. */
  readonly onFailure: (error: unknown, requestId?: string) => void
}

/** What manages accounts and what belongs to them: for the server, and for the command line beside it. */
export type Administration = ReturnType<typeof createAdministration>

/** `removeFaces` removes the faces of an external id and answers how many there were. */
export function createAdministration(
  ports: AdministrationPorts,
  removeFaces: (accountId: string, externalId: string) => Promise<number>,
) {
  const { store, keyRing, pictureMemory, now, onFailure } = ports
  const logs = createLogs(ports)
  const { accounts, auditLog, isWithdrawn, toldOutside } = logs
  const logos = createLogos(store)
  const aliases = createAliases(store, accounts)
  const { ownerOf } = createVerificationStore(store)
  const sessionRows = createSessionRows(store, keyRing)
  const usageCounts = createUsageCounts(store, now)
  const sessionStore = createSessionStore(store, keyRing, now, sessionRows, usageCounts)
  const personSessions = createPersonSessions(store, accounts)
  const passkeys = createPasskeyStore({ store, keyRing, accounts })
  const visits = createVisitStore(store, keyRing)
  const keptAnswers = createKeptAnswers({ store, keyRing, accounts, now })
  const operators = createOperatorStore(store, now)
  const requestLog = createRequestLog({ store, now, onFailure })
  const webhooks = createWebhooks(ports, accounts)
  const audit = createAudit({ log: auditLog, aliases, ownerOf, onFailure })
  return {
    ...logs,
    accountService: createAccountService(accounts, logos),
    logos,
    audit,
    ownerNotices: createOwnerNotices({ store, audit, onFailure, now }),
    auditService: createAuditService(auditLog, isWithdrawn, toldOutside),
    requestLog,
    requestService: createRequestService(requestLog),
    tokenKeys: createTokenKeys(store, keyRing, now),
    sessionStore,
    sessionRows,
    usageCounts,
    personSessions,
    passkeys,
    visits,
    operators,
    invitations: createInvitations(store, operators, now),
    lockOut: createLockOut(store, operators),
    ...webhooks,
    keptAnswers,
    onFailure,
    resetPasskeys: createResetPasskeys(passkeys),
    deletePerson: createDeletePerson({
      store,
      index: personSessions,
      sessions: sessionStore,
      deliveries: webhooks.deliveryStore,
      pictureMemory,
      attempts: createAttempts(store, undefined, now),
      suspicions: createSuspicions(store, undefined, now),
      passkeys,
      visits,
      aliases,
      keptAnswers,
      removeFaces,
    }),
  }
}

/** Accounts, and the logs of what was done in them. [Note: What was revoked stays refused] */
function createLogs({ store, keyRing, now, onAuditHead, ...ports }: AdministrationPorts) {
  const { toldOutside = createToldOutside() } = ports
  const auditLog = createAuditLog(store, keyRing, now, (accountId, head, withdrawals) => {
    toldOutside.note(accountId, withdrawals)
    onAuditHead?.(accountId, head, withdrawals)
  })
  const isKeyWithdrawn = (accountId: string, keyId: string) =>
    toldOutside.isWithdrawn(accountId, 'key', keyId)
  return {
    toldOutside,
    auditLog,
    accounts: createAccounts({ store, auditLog, keyRing, now, isKeyWithdrawn }),
    kioskStore: createKioskStore(store, (accountId, id) => toldOutside.isWithdrawn(accountId, 'kiosk', id)),
    isWithdrawn: createIsWithdrawn(createApiKeys(store, keyRing, now), createKioskStore(store)),
  }
}

/** What tells others of what happened: to the addresses of verifications, and to the endpoints of accounts. */
function createWebhooks(ports: AdministrationPorts, accounts: Accounts) {
  const { store, keyRing, outbound, tally, now } = ports
  const deliveryStore = createDeliveryStore(store, now)
  const endpoints = createEndpointStore(store, keyRing, now)
  const { bodyOf, sealPerson } = createEventBodies(keyRing)
  const deliveries = createDeliveries({
    store,
    deliveries: deliveryStore,
    endpoints,
    sendEvent: createSendEvent({ accounts, endpoints, bodyOf, outbound, tally, now }),
    retryAfterInMilliseconds: ports.webhookRetryAfterInMilliseconds,
    onLost: tally.webhookLost,
    now,
  })
  return {
    deliveries,
    deliveryStore,
    events: createEvents(store, endpoints, deliveries, sealPerson, now),
    webhookService: createWebhookService(deliveryStore, endpoints, deliveries, bodyOf),
    endpointService: createEndpointService({ store, endpoints, deliveries, now }),
  }
}
