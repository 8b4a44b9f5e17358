import type { KioskAdministration } from '#server/features/kiosks/kiosks.ts'
import type { WaitingReviews } from '#server/features/sessions/sessions.ts'
import type { OutgrownSearch, Verifications } from '#server/features/verifications/verifications.ts'
import type { EndpointHealths, WebhookEndpoint } from '#server/features/webhooks/webhooks.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { AttentionLimits } from '#shared/contract/account/attention.ts'
import type { AttentionStore } from './attention-store.ts'
import { type Condition, worstFirst } from './condition.ts'

/** How full the store is, and whether it refuses writes. */
export interface StoreFill {
  /** 0 to 1; undefined if no limit is stated. */
  readonly share: number | undefined
  readonly isRefusing: boolean
}

/** The sources of conditions. */
export interface ConditionSources {
  readonly endpoints: { list(accountId: string): Promise<readonly WebhookEndpoint[]> }
  readonly endpointHealths: Pick<EndpointHealths, 'failuresOf'>
  readonly waitingReviews: WaitingReviews
  readonly kiosks: Pick<KioskAdministration, 'contacts'>
  readonly verifications: Pick<Verifications, 'weakened'>
  /** All accounts' outgrown collections, as they were last counted. */
  readonly outgrown: () => readonly OutgrownSearch[]
  /** Only the operator's own accounts hear of the store; undefined for any other. */
  readonly storeFillFor: (accountId: string) => Promise<StoreFill | undefined>
  readonly records: Pick<AttentionStore, 'limitsOf' | 'confirmedAt'>
  readonly now: Clock
}

const minute = 60_000
const hour = 60 * minute

/** An account's conditions at this moment, worst first. */
export type FindConditions = (accountId: string) => Promise<Condition[]>

export function createFindConditions(sources: ConditionSources): FindConditions {
  const { records, now } = sources
  return async (accountId) => {
    const limits = await records.limitsOf(accountId)
    const found = await Promise.all([
      failingEndpoints(sources, accountId, limits),
      fullStore(sources, accountId, limits),
      weakened(sources, accountId),
      unseenKiosks(sources, accountId, limits),
      outgrown(sources, accountId),
      waiting(sources, accountId, limits),
    ])
    const time = now()
    return found
      .flat()
      .map((one) => ({ ...one, since: Math.min(one.since, time) }))
      .sort(worstFirst)
  }
}

async function failingEndpoints(
  { endpoints, endpointHealths, now }: ConditionSources,
  accountId: string,
  { endpointAttempts, endpointMinutes }: AttentionLimits,
): Promise<Condition[]> {
  const found: Condition[] = []
  for (const { endpointId: id, failingSince, switchedOff } of await endpoints.list(accountId)) {
    if (failingSince === null || switchedOff !== null) continue
    const since = Date.parse(failingSince)
    if (now() - since < endpointMinutes * minute) continue
    if ((await endpointHealths.failuresOf(accountId, id)) >= endpointAttempts)
      found.push({ kind: 'endpointFailing', subject: { type: 'endpoint', id }, since })
  }
  return found
}

async function fullStore(
  { storeFillFor, now }: ConditionSources,
  accountId: string,
  { storePercent }: AttentionLimits,
): Promise<Condition[]> {
  const fill = await storeFillFor(accountId)
  if (fill === undefined || (!fill.isRefusing && (fill.share ?? 0) * 100 <= storePercent)) return []
  return [{ kind: 'storeFull', subject: { type: 'store', id: 'store' }, since: now() }]
}

async function weakened(
  { verifications, records }: ConditionSources,
  accountId: string,
): Promise<Condition[]> {
  const found = await verifications.weakened(accountId, (id) => records.confirmedAt(accountId, id))
  return found.map(({ verificationId: id, since }) => ({
    kind: 'verificationWeakened',
    subject: { type: 'verification', id },
    since,
  }))
}

async function unseenKiosks(
  { kiosks, now }: ConditionSources,
  accountId: string,
  { kioskHours }: AttentionLimits,
): Promise<Condition[]> {
  const contacts = await kiosks.contacts(accountId)
  return contacts.flatMap(({ kioskId: id, lastSeen }): Condition[] => {
    const since = lastSeen + kioskHours * hour
    return since > now() ? [] : [{ kind: 'kioskUnseen', subject: { type: 'kiosk', id }, since }]
  })
}

async function outgrown({ outgrown: found, now }: ConditionSources, accountId: string): Promise<Condition[]> {
  return found()
    .filter((one) => one.accountId === accountId)
    .map((one) => ({
      kind: 'collectionOutgrown',
      subject: { type: 'collection', id: 'collectionId' in one ? one.collectionId : one.verificationId },
      since: now(),
    }))
}

async function waiting(
  { waitingReviews, now }: ConditionSources,
  accountId: string,
  { reviewHours, reviewCount }: AttentionLimits,
): Promise<Condition[]> {
  const { count, oldest } = await waitingReviews(accountId)
  const overdue = oldest === null ? Number.POSITIVE_INFINITY : oldest + reviewHours * hour
  if (overdue > now() && count <= reviewCount) return []
  const subject = { type: 'account', id: accountId } as const
  return [{ kind: 'reviewsWaiting', subject, since: Math.min(overdue, now()) }]
}
