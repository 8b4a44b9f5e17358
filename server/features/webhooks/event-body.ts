import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { AccountEvent, AttentionFact } from '#shared/contract/account/event.ts'
import type { WebhookEvent } from '#shared/contract/account/webhook.ts'
import type { Delivery } from './delivery-store.ts'

/** Builds the delivery bodies. */
export interface EventBodies {
  /**
   * An external ID's stored form. [Note: Deliveries name people sealed] Unlike the session, which names the same person, a
   * delivery is stored unencrypted.
   */
  sealPerson(accountId: string, sessionId: string, externalId: string): string
  /** The body, which is identical for every attempt. */
  bodyOf(delivery: Delivery): string
}

/** The ID in a test event. It looks like a real ID but never exists. */
const nothing = '00000000-0000-0000-0000-000000000000'
const nobodys = { verificationSessionId: '0'.repeat(32), kioskId: nothing, collectionId: nothing }

/** The condition in a test event. */
const nothingToAttend: AttentionFact = {
  kind: 'endpointFailing',
  state: 'begun',
  subject: { type: 'endpoint', id: nothing },
  since: new Date(0).toISOString(),
  help: 'docs/integrate.md',
}

export function createEventBodies(keyRing: Pick<KeyRing, 'seal' | 'open'>): EventBodies {
  const contextOf = (accountId: string, sessionId: string | null) => `${accountId}/${sessionId}`

  function personOf({ accountId, verificationSessionId, sealedPerson, isTest }: Delivery): string {
    if (isTest || sealedPerson === undefined) return nothing
    return keyRing.open('delivery', contextOf(accountId, verificationSessionId), sealedPerson).toString()
  }

  return {
    sealPerson: (accountId, sessionId, externalId) =>
      keyRing.seal('delivery', contextOf(accountId, sessionId), Buffer.from(externalId)),
    bodyOf: (delivery) =>
      delivery.endpointId === null ? hookBody(delivery) : endpointBody(delivery, personOf),
  }
}

/** A verification's address receives only what the interface defines. */
function hookBody({ verificationSessionId }: Delivery): string {
  const body = { event: 'VerificationCompleted', verificationSessionId: verificationSessionId! } as const
  return JSON.stringify(body satisfies WebhookEvent)
}

function endpointBody(delivery: Delivery, personOf: (delivery: Delivery) => string): string {
  const { event, occurredAt, isTest, attention = nothingToAttend } = delivery
  const { verificationSessionId, kioskId, collectionId } = isTest ? nobodys : delivery
  const subject =
    event === 'KioskRevoked'
      ? { kioskId }
      : event === 'CollectionFull'
        ? { collectionId }
        : event === 'PasskeyBound'
          ? { verificationSessionId, externalId: personOf(delivery) }
          : event === 'AttentionNeeded'
            ? attention
            : { verificationSessionId }
  return JSON.stringify({ event, ...subject, occurredAt, ...(isTest && { test: true }) } as AccountEvent)
}
