import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { sameBytes } from './same-bytes.ts'
import type { Guard, Store, Write } from './store.ts'
import type { Table } from './tables.ts'

/**
 * One decision on what the store holds. What is read is guarded, what is written is collected, and one commit writes all of it, or
 * nothing where a record is no longer as it was read. Reads answer what the store holds, not what was collected.
 */
export interface Transaction {
  /** Reads a record, also that there is none. Read again it is the same, and held once. */
  read<T>(table: Pick<Table<T>, 'read' | 'absent'>, owner: string, id: string): Promise<T | undefined>
  /** Takes over what was read elsewhere. */
  hold(...guards: readonly Guard[]): void
  /** Writes in the commit; of two values for one key the later one is written, while counts and numbered ones are all written. */
  write(...writes: readonly Write[]): void
  put<T>(
    table: Pick<Table<T>, 'write'>,
    owner: string,
    id: string,
    value: T | undefined,
    expiresInSeconds?: number,
  ): void
  /**
   * Once. False where something that was read has changed: then nothing was written. One that writes nothing has nothing to
   * hold, and asks the store for nothing.
   * @throws where it is committed a second time
   */
  commit(): Promise<boolean>
}

export function beginTransaction(store: Pick<Store, 'commit'>): Transaction {
  const guards = new Map<string, Guard>()
  const values = new Map<string, unknown>()
  const writes = new Map<string | symbol, Write>()
  /** Two guards of one key that differ cannot both hold. */
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
      if (isOver) throw new Error('A transaction is committed once')
      isOver = true
      if (writes.size === 0) return true
      return !isTorn && (await store.commit([...writes.values()], [...guards.values()]))
    },
  }
}

/** A later write takes the place of an earlier one of the same place. */
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
 * Decides in a transaction and commits it; where it loses, decides anew in another one. `decide` answers undefined where it
 * finds that it has lost already.
 * @throws what `busy` makes where it loses again and again
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
