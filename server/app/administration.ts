import { createAccountService } from '#server/features/accounts/account-service.ts'
import { type Accounts, createAccounts } from '#server/features/accounts/accounts.ts'
import { createApiKeys } from '#server/features/accounts/api-keys.ts'
import { createLogos } from '#server/features/accounts/logos.ts'
import { createAliases } from '#server/features/audit/aliases.ts'
import { createAuditArchives } from '#server/features/audit/archives/audit-archives.ts'
import { createAudit } from '#server/features/audit/audit.ts'
import { createAuditLog } from '#server/features/audit/audit-log.ts'
import { createAuditMover } from '#server/features/audit/audit-mover.ts'
import { createAuditService } from '#server/features/audit/audit-service.ts'
import type { OnAuditHead } from '#server/features/audit/log/log-book.ts'
import { createRequestLog } from '#server/features/audit/requests/request-log.ts'
import { createRequestService } from '#server/features/audit/requests/request-service.ts'
import type { AuditSegments } from '#server/features/audit/segments/segments.ts'
import { createToldOutside, type ToldOutside } from '#server/features/audit/told-outside.ts'
import { createIsWithdrawn } from '#server/features/audit/withdrawals.ts'
import { createKeptAnswers } from '#server/features/idempotency/kept-answers.ts'
import { createKioskStore } from '#server/features/kiosks/kiosk-store.ts'
import { createInvitations } from '#server/features/operators/invitations.ts'
import { createLockOut } from '#server/features/operators/lock-out.ts'
import { createOwnerNotices } from '#server/features/operators/notices/owner-notices.ts'
import { createOperatorStore } from '#server/features/operators/operator-store.ts'
import { createDeletePerson } from '#server/features/privacy/person-erasure.ts'
import { createVisitStore } from '#server/features/sessions/earlier/visit-store.ts'
import { createPersonSessions } from '#server/features/sessions/listing/person-sessions.ts'
import { createSessionRows } from '#server/features/sessions/listing/session-rows.ts'
import { createAttempts } from '#server/features/sessions/opening/attempts.ts'
import { createSuspicions } from '#server/features/sessions/opening/suspicions.ts'
import { createResetPasskeys } from '#server/features/sessions/passkeys/passkey-reset.ts'
import { createPasskeyStore } from '#server/features/sessions/passkeys/passkey-store.ts'
import type { PictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import { createSessionStore } from '#server/features/sessions/session-store.ts'
import { createUsageCounts } from '#server/features/sessions/usage/usage-counts.ts'
import { createTokenKeys } from '#server/features/tokens/token-keys.ts'
import { createVerificationStore } from '#server/features/verifications/verification-store.ts'
import { createDeliveries } from '#server/features/webhooks/deliveries.ts'
import { createDeliveryStore } from '#server/features/webhooks/delivery-store.ts'
import { createEndpointService } from '#server/features/webhooks/endpoint-service.ts'
import { createEndpointStore } from '#server/features/webhooks/endpoint-store.ts'
import { createSendEvent } from '#server/features/webhooks/event.ts'
import { createEventBodies } from '#server/features/webhooks/event-body.ts'
import { createEvents } from '#server/features/webhooks/events.ts'
import { createWebhookService } from '#server/features/webhooks/webhook-service.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'

export interface AdministrationPorts {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly pictureMemory: PictureMemory
  readonly outbound: Outbound
  readonly now: Clock
  readonly webhookRetryAfterInMilliseconds: number
  readonly tally: Pick<Tally, 'webhookSent' | 'webhookLost'>
  /** Where audit logs are kept for good. */
  readonly auditSegments: AuditSegments
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
  const { auditSegments: segments, toldOutside = createToldOutside() } = ports
  const auditLog = createAuditLog({ store, keyRing, segments, now }, (accountId, head, withdrawals) => {
    toldOutside.note(accountId, withdrawals)
    onAuditHead?.(accountId, head, withdrawals)
  })
  const isKeyWithdrawn = (accountId: string, keyId: string) =>
    toldOutside.isWithdrawn(accountId, 'key', keyId)
  return {
    toldOutside,
    auditLog,
    auditArchives: createAuditArchives(auditLog, keyRing),
    auditMover: createAuditMover({ store, log: auditLog, onFailure: ports.onFailure }),
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
