import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { sameBytes } from './same-bytes.ts'
import type { Guard, Store, Write } from './store.ts'
import type { Table } from './tables.ts'

/**
 * One decision based on the store's content. Records that are read are guarded, writes are collected, and one commit writes
 * all of them, or nothing if a record has changed since it was read. Reads return stored values, not collected
 * writes.
 */
export interface Transaction {
  /** Reads a record or its absence. Repeated reads return the same value and add only one guard. */
  read<T>(table: Pick<Table<T>, 'read' | 'absent'>, owner: string, id: string): Promise<T | undefined>
  /** Adds guards from reads made elsewhere. */
  hold(...guards: readonly Guard[]): void
  /** Adds writes to the commit. The later of two values for a key wins, while additions and appended values are all written. */
  write(...writes: readonly Write[]): void
  put<T>(
    table: Pick<Table<T>, 'write'>,
    owner: string,
    id: string,
    value: T | undefined,
    expiresInSeconds?: number,
  ): void
  /**
   * Call it once. Resolves to false if a record that was read has changed, in which case nothing was written. Without writes,
   * there is nothing to guard, and the store is not called.
   * @throws if it is committed a second time
   */
  commit(): Promise<boolean>
}

export function beginTransaction(store: Pick<Store, 'commit'>): Transaction {
  const guards = new Map<string, Guard>()
  const values = new Map<string, unknown>()
  const writes = new Map<string | symbol, Write>()
  /** Two different guards for the same key cannot both hold. */
  let isTorn = false
  let isOver = false

  function hold(guard: Guard): void {
    const known = guards.get(guard.key)
    if (known === undefined) guards.set(guard.key, guard)
    else if (!sameBytes(known.value, guard.value)) isTorn = true
  }

  const collect = (write: Write) => void writes.set(placeOf(write), write)

  return {
    async read<T>(table: Pick<Table<T>, 'read' | 'absent'>, owner: string, id: string) {
      const absent = table.absent(owner, id)
      if (values.has(absent.key)) return values.get(absent.key) as T | undefined
      const read = await table.read(owner, id)
      hold(read?.guard ?? absent)
      values.set(absent.key, read?.value)
      return read?.value
    },
    hold: (...given) => given.forEach(hold),
    write: (...given) => given.forEach(collect),
    put: (table, owner, id, value, expiresInSeconds) =>
      collect(table.write(owner, id, value, expiresInSeconds)),
    async commit() {
      if (isOver) throw new Error('A transaction can be committed only once')
      isOver = true
      if (writes.size === 0) return true
      return !isTorn && (await store.commit([...writes.values()], [...guards.values()]))
    },
  }
}

/** A later write replaces an earlier one in the same place. */
function placeOf(write: Write): string | symbol {
  switch (write.kind) {
    case 'put':
    case 'remove':
      return write.key
    case 'append':
    case 'add':
      return Symbol(write.key)
  }
}

/**
 * Decides in a transaction and commits it, retrying with a new transaction after a conflict. `decide` returns undefined if
 * it finds that it has already lost.
 * @throws the error from `busy` after repeated conflicts
 */
export function transact<T>(
  store: Pick<Store, 'commit'>,
  decide: (transaction: Transaction) => Promise<T | undefined>,
  busy: () => Error,
): Promise<T> {
  return retryOnConflict(async () => {
    const transaction = beginTransaction(store)
    const decided = await decide(transaction)
    return decided !== undefined && (await transaction.commit()) ? decided : undefined
  }, busy)
}
