import type { Account, ApiKey, KioskRecord } from '#server/features/callers/callers.ts'
import type { OpenidClient } from '#server/features/openid/openid.ts'
import type { Team } from '#server/features/operators/operators.ts'
import type { WebhookEndpoint } from '#server/features/webhooks/webhooks.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { jsonCodec } from '#server/platform/store/codec.ts'
import type { JournalEntry } from '#server/platform/store/records/journal.ts'
import { type WithdrawalKind, withdrawalKindOf } from '#server/platform/store/records/journal-rules.ts'
import { createEntrySeal } from '#server/platform/store/sealed/sealed-store.ts'
import { type Entry, putOf, removalOf, type Store, type Write } from '#server/platform/store/store.ts'

/** The record kinds that grant rights. */
interface WithdrawableRecords {
  readonly account: Account
  readonly 'api-key': ApiKey
  readonly kiosk: KioskRecord
  readonly 'openid-client': readonly OpenidClient[]
  readonly 'operator-team': Team
  readonly 'webhook-endpoint': readonly WebhookEndpoint[]
}

/**
 * [Note: A restore takes back rights, and changes nothing else] A noted record also contains changes and additions made
 * after the backup: names, settings, references to records that the backup lacks. So only the members that withdraw a
 * right are taken from it.
 */
const takeOver: {
  readonly [K in WithdrawalKind]: (
    kept: WithdrawableRecords[K],
    noted: WithdrawableRecords[K],
  ) => WithdrawableRecords[K]
} = {
  account: (kept, { signingKeys, webhookSecrets, primaryKeyId }) => ({
    ...kept,
    signingKeys,
    webhookSecrets,
    primaryKeyId,
  }),
  'api-key': ({ ends: _, ...kept }, { revoked, ends }) => ({
    ...kept,
    revoked,
    ...(ends !== undefined && { ends }),
  }),
  kiosk: (kept, { revoked }) => ({ ...kept, revoked }),
  'openid-client': (kept, noted) =>
    kept.flatMap((client) => {
      const left = noted.find(({ clientId }) => clientId === client.clientId)
      return left === undefined ? [] : [{ ...client, secrets: left.secrets }]
    }),
  'operator-team': (kept, noted) => ({
    ...kept,
    members: kept.members.flatMap((member) => {
      const left = noted.members.find(({ operatorId }) => operatorId === member.operatorId)
      return left === undefined ? [] : [{ ...member, role: left.role }]
    }),
  }),
  'webhook-endpoint': (kept, noted) =>
    kept.filter(({ endpointId }) => noted.some((left) => left.endpointId === endpointId)),
}

/** Repeats a journal's erasures and withdrawals, and returns how many records were changed or removed. */
export async function replay(
  store: Store,
  entries: AsyncIterable<JournalEntry>,
  keyRing: KeyRing,
): Promise<number> {
  const merge = createMerge(keyRing)
  /** Only each record's last version counts: rights missing from an earlier version may have been added before the backup. */
  const noted = new Map<string, Uint8Array>()
  let replayed = 0
  async function change(key: string, writeOf: (kept: Entry) => Write): Promise<void> {
    const kept = await findEntry(store, key)
    // A record that was created after the backup has nothing to lose.
    if (kept === undefined) return
    await store.commit([writeOf(kept)], [])
    replayed++
  }
  for await (const { key, value } of entries) {
    if (value === undefined) await change(key, () => removalOf(key))
    else noted.set(key, value)
  }
  for (const [key, value] of noted) await change(key, (kept) => merge(kept, value))
  return replayed
}

/** The backup's record without the rights that the noted record lacks. Its expiry stays. */
function createMerge(keyRing: KeyRing) {
  const { seal, open } = createEntrySeal(keyRing)
  function merged<K extends WithdrawalKind>(kind: K, key: string, kept: Uint8Array, noted: Uint8Array) {
    const codec = jsonCodec<WithdrawableRecords[K]>()
    const [before, after] = [kept, noted].map((stored) => codec.decode(open(key, stored)))
    return seal(key, codec.encode(takeOver[kind](before!, after!)))
  }
  return ({ key, value, expiresAt }: Entry, noted: Uint8Array) => {
    const kind = withdrawalKindOf(key)
    if (kind === undefined) throw new Error('The journal contains a record that withdraws nothing')
    const left = expiresAt === undefined ? undefined : (expiresAt - Date.now()) / 1000
    return putOf(key, merged(kind, key, value, noted), left)
  }
}

async function findEntry(store: Store, key: string): Promise<Entry | undefined> {
  for await (const entry of store.list(key)) return entry.key === key ? entry : undefined
  return undefined
}
