import { inBatches } from '#server/platform/running/in-batches.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { type Clock, type Entry, putOf, type Store } from '#server/platform/store/store.ts'
import { type EntrySeal, isUnsealed } from './sealed-store.ts'

const sealedAtOnce = 100
const mostPasses = 5

/**
 * Seals what stands in a store of format 1 in the clear. One that was cut short goes on where it was; two at once do no harm.
 * @throws where an earlier program keeps writing to the store meanwhile
 */
export async function sealEntries(store: Store, entrySeal: EntrySeal, now: Clock = Date.now): Promise<void> {
  for (let passes = 0; passes < mostPasses; passes++) {
    if (await sealInOnePass(store, entrySeal, now)) return
  }
  throw new Error('Another process is using the store during its upgrade: stop it and start again.')
}

/** Whether nobody changed what was to be sealed. */
async function sealInOnePass(store: Store, entrySeal: EntrySeal, now: Clock): Promise<boolean> {
  let isWhole = true
  for await (const batch of inBatches(clearIn(store, entrySeal), sealedAtOnce))
    isWhole = (await sealBatch(store, entrySeal, batch, now)) && isWhole
  return isWhole
}

/** The entries that are to be sealed, and are not. */
async function* clearIn(store: Store, entrySeal: EntrySeal): AsyncGenerator<Entry> {
  for await (const entry of store.list('')) {
    if (isUnsealed(entry.key) || tryOrUndefined(() => entrySeal.open(entry.key, entry.value))) continue
    yield entry
  }
}

async function sealBatch(
  store: Store,
  { seal }: EntrySeal,
  entries: readonly Entry[],
  now: Clock,
): Promise<boolean> {
  const writes = entries.map(({ key, value, expiresAt }) =>
    putOf(key, seal(key, value), expiresAt === undefined ? undefined : (expiresAt - now()) / 1000),
  )
  const unchanged = entries.map(({ key, value }) => ({ key, value }))
  return store.commit(writes, unchanged)
}
