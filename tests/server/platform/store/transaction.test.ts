import { describe, expect, test } from 'vitest'
import { countOf, numberedKey } from '#server/platform/store/counts.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { beginTransaction, transact } from '#server/platform/store/transaction.ts'

interface Purse {
  readonly coins: number
}

function start(now = () => 0) {
  const store = createMemoryStore(now)
  const purses = createTable<Purse>(store, 'nonce')
  return { store, purses, coinsOf: async (id: string) => (await purses.get('a', id))?.coins }
}

const busy = () => new Error('busy')
const text = (value: Uint8Array | undefined) => value && Buffer.from(value).toString()

describe('a transaction', () => {
  test('writes everything that was collected in one commit, and nothing before', async () => {
    const { store, purses, coinsOf } = start()
    await purses.put('a', 'from', { coins: 3 })
    const commits: number[] = []
    const transaction = beginTransaction({
      commit: (writes, guards) => {
        commits.push(writes.length, guards.length)
        return store.commit(writes, guards)
      },
    })
    const from = (await transaction.read(purses, 'a', 'from'))!
    const to = await transaction.read(purses, 'a', 'to')
    expect(to).toBeUndefined()
    transaction.put(purses, 'a', 'from', { coins: from.coins - 1 })
    transaction.put(purses, 'a', 'to', { coins: 1 })
    expect([await coinsOf('from'), await coinsOf('to'), commits]).toEqual([3, undefined, []])
    expect(await transaction.commit()).toBe(true)
    expect([await coinsOf('from'), await coinsOf('to'), commits]).toEqual([2, 1, [2, 2]])
  })

  test.each([
    ['was changed', { coins: 9 }],
    ['was removed', undefined],
  ])('writes nothing if a record that it read %s since', async (_name, meanwhile) => {
    const { store, purses, coinsOf } = start()
    await purses.put('a', 'one', { coins: 3 })
    const transaction = beginTransaction(store)
    await transaction.read(purses, 'a', 'one')
    transaction.put(purses, 'a', 'other', { coins: 1 })
    if (meanwhile === undefined) await purses.remove('a', 'one')
    else await purses.put('a', 'one', meanwhile)
    expect(await transaction.commit()).toBe(false)
    expect(await coinsOf('other')).toBeUndefined()
  })

  test('writes nothing if a record that it found missing was added since', async () => {
    const { store, purses, coinsOf } = start()
    const transaction = beginTransaction(store)
    expect(await transaction.read(purses, 'a', 'one')).toBeUndefined()
    transaction.put(purses, 'a', 'one', { coins: 1 })
    await purses.put('a', 'one', { coins: 9 })
    expect(await transaction.commit()).toBe(false)
    expect(await coinsOf('one')).toBe(9)
  })

  test('guards values that were read elsewhere', async () => {
    const { store, purses, coinsOf } = start()
    await purses.put('a', 'one', { coins: 3 })
    const read = (await purses.read('a', 'one'))!
    const [first, second] = [beginTransaction(store), beginTransaction(store)]
    for (const [i, transaction] of [first, second].entries()) {
      transaction.hold(read.guard)
      transaction.put(purses, 'a', 'one', { coins: 10 + i })
    }
    expect([await first.commit(), await second.commit()]).toEqual([true, false])
    expect(await coinsOf('one')).toBe(10)
  })

  test('reads a record once, with its first value', async () => {
    const { store, purses } = start()
    await purses.put('a', 'one', { coins: 3 })
    const transaction = beginTransaction(store)
    await transaction.read(purses, 'a', 'one')
    await purses.put('a', 'one', { coins: 9 })
    expect(await transaction.read(purses, 'a', 'one')).toEqual({ coins: 3 })
  })

  test('has lost if a record was read twice with different values, even if it has the first value again', async () => {
    const { store, purses, coinsOf } = start()
    await purses.put('a', 'one', { coins: 3 })
    const transaction = beginTransaction(store)
    await transaction.read(purses, 'a', 'one')
    await purses.put('a', 'one', { coins: 9 })
    transaction.hold((await purses.read('a', 'one'))!.guard)
    await purses.put('a', 'one', { coins: 3 })
    transaction.put(purses, 'a', 'other', { coins: 1 })
    expect(await transaction.commit()).toBe(false)
    expect(await coinsOf('other')).toBeUndefined()
  })

  test('writes the later of two values of one record, every count and every numbered value', async () => {
    const { store, purses, coinsOf } = start()
    const transaction = beginTransaction(store)
    transaction.put(purses, 'a', 'one', { coins: 1 })
    transaction.put(purses, 'a', 'one', { coins: 2 })
    for (const value of ['first', 'second'])
      transaction.write(
        { kind: 'add', key: 'count', more: 2 },
        { kind: 'append', key: 'log', value: Buffer.from(value) },
      )
    expect(await transaction.commit()).toBe(true)
    expect(await coinsOf('one')).toBe(2)
    expect(countOf(await store.get('count'))).toBe(4)
    expect(text(await store.get(numberedKey('log', 1)))).toBe('first')
    expect(text(await store.get(numberedKey('log', 2)))).toBe('second')
  })

  test('writes with an expiry, and removes', async () => {
    let now = 0
    const { store, purses, coinsOf } = start(() => now)
    await purses.put('a', 'gone', { coins: 1 })
    const transaction = beginTransaction(store)
    transaction.put(purses, 'a', 'short', { coins: 1 }, 60)
    transaction.put(purses, 'a', 'gone', undefined)
    await transaction.commit()
    now = 59_999
    expect([await coinsOf('short'), await coinsOf('gone')]).toEqual([1, undefined])
    now = 60_000
    expect(await coinsOf('short')).toBeUndefined()
  })

  test('does not contact the store if it writes nothing', async () => {
    const { purses } = start()
    const transaction = beginTransaction({ commit: () => Promise.reject(new Error('asked')) })
    await transaction.read(purses, 'a', 'one')
    expect(await transaction.commit()).toBe(true)
  })

  test('is committed once', async () => {
    const { store } = start()
    const transaction = beginTransaction(store)
    await transaction.commit()
    await expect(transaction.commit()).rejects.toThrow('once')
  })
})

describe('transact', () => {
  test('decides again if the commit loses: of many at once none is lost', async () => {
    const { store, purses, coinsOf } = start()
    const addOne = () =>
      transact(
        store,
        async (transaction) => {
          const { coins } = (await transaction.read(purses, 'a', 'one')) ?? { coins: 0 }
          await new Promise((over) => setImmediate(over))
          transaction.put(purses, 'a', 'one', { coins: coins + 1 })
          return coins + 1
        },
        busy,
      )
    const answers = await Promise.all(Array.from({ length: 12 }, addOne))
    expect(answers.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    expect(await coinsOf('one')).toBe(12)
  })

  test('decides again if the decision reports a conflict, and writes nothing of it', async () => {
    const { store, purses, coinsOf } = start()
    let tries = 0
    const decide = async (transaction: ReturnType<typeof beginTransaction>) => {
      transaction.put(purses, 'a', `try ${++tries}`, { coins: tries })
      return tries < 3 ? undefined : 'done'
    }
    expect(await transact(store, decide, busy)).toBe('done')
    expect([await coinsOf('try 1'), await coinsOf('try 2'), await coinsOf('try 3')]).toEqual([
      undefined,
      undefined,
      3,
    ])
  })

  test('writes nothing if the decision fails', async () => {
    const { store, purses, coinsOf } = start()
    const decision = transact(
      store,
      async (transaction) => {
        transaction.put(purses, 'a', 'one', { coins: 1 })
        throw new Error('refused')
      },
      busy,
    )
    await expect(decision).rejects.toThrow('refused')
    expect(await coinsOf('one')).toBeUndefined()
  })
})
