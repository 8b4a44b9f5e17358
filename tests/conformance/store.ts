import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { batchesOf, valuesOf, valuesOfBatch } from '#server/platform/store/batches/batches.ts'
import { counterOf, countOf, numberedKey, numberOf } from '#server/platform/store/counts.ts'
import {
  type Clock,
  type Guard,
  type Put,
  putOf,
  removalOf,
  type Store,
} from '#server/platform/store/store.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value)

/** The behaviour required of every store. Each implementation runs this. */
export function storeConformance(
  name: string,
  open: (now: Clock) => Promise<{ store: Store; dispose(): Promise<void> }>,
) {
  describe(`${name} store`, () => {
    let ahead = 0
    let store: Store
    let dispose: () => Promise<void>
    beforeEach(async () => {
      ahead = 0
      const opened = await open(() => 1_000_000 + ahead)
      store = opened.store
      dispose = opened.dispose
    })
    afterEach(() => dispose())

    const keys = async (prefix: string) => {
      const found: string[] = []
      for await (const { key } of store.list(prefix)) found.push(key)
      return found
    }

    test('returns stored values, and undefined for missing keys', async () => {
      await store.put('a', bytes('one'))
      expect(text(await store.get('a'))).toBe('one')
      expect(await store.get('b')).toBeUndefined()
    })

    test('stores every byte value, and empty values', async () => {
      const all = Uint8Array.from({ length: 256 }, (_, i) => i)
      await store.put('all', all)
      await store.put('none', new Uint8Array())
      expect([...(await store.get('all'))!]).toEqual([...all])
      expect([...(await store.get('none'))!]).toEqual([])
    })

    test('is unaffected if the caller modifies its bytes later', async () => {
      const value = bytes('one')
      await store.put('a', value)
      value[0] = 0
      const read = (await store.get('a'))!
      read[1] = 0
      expect(text(await store.get('a'))).toBe('one')
    })

    test('overwrites a value and takes over the expiry of the last write', async () => {
      await store.put('a', bytes('one'), 10)
      await store.put('a', bytes('two'))
      ahead = 20_000
      expect(await store.sweep()).toBe(0)
      expect(text(await store.get('a'))).toBe('two')
    })

    test.each([
      [9_999, 'one'],
      [10_000, undefined],
    ])('after %i ms of an expiry of 10 s it answers %s', async (milliseconds, expected) => {
      await store.put('a', bytes('one'), 10)
      ahead = milliseconds
      expect(text(await store.get('a'))).toBe(expected)
      expect(await keys('a')).toEqual(expected === undefined ? [] : ['a'])
    })

    test('treats expired entries as absent for putIfAbsent and guards', async () => {
      await store.put('a', bytes('one'), 10)
      ahead = 10_000
      expect(await store.commit([], [{ key: 'a', value: undefined }])).toBe(true)
      expect(await store.putIfAbsent('a', bytes('two'))).toBe(true)
    })

    test('lists entries with their expiry', async () => {
      await store.put('a', bytes('one'), 10)
      await store.put('b', bytes('two'))
      const found = []
      for await (const { key, expiresAt } of store.list('')) found.push([key, expiresAt])
      expect(found).toEqual([
        ['a', 1_010_000],
        ['b', undefined],
      ])
    })

    test('sweeps expired entries and leaves the rest', async () => {
      await store.put('a', bytes('one'), 10)
      await store.put('b', bytes('two'), 20)
      await store.put('c', bytes('three'))
      ahead = 10_000
      expect(await store.sweep()).toBe(1)
      expect(await store.sweep()).toBe(0)
      expect(await keys('')).toEqual(['b', 'c'])
    })

    test('removes entries, including missing ones', async () => {
      await store.put('a', bytes('one'))
      await store.remove('a')
      await store.remove('a')
      expect(await store.get('a')).toBeUndefined()
    })

    test('lists every entry once, even if entries are removed meanwhile', async () => {
      const all = Array.from({ length: 700 }, (_, i) => `many/${String(i).padStart(4, '0')}`)
      await store.commit(
        all.map((key) => putOf(key, bytes(key))),
        [],
      )
      const listed: string[] = []
      for await (const { key, value } of store.list('many/')) {
        expect(text(value)).toBe(key)
        listed.push(key)
        if (listed.length % 50 === 0) {
          const seen = listed.slice(-50).map(removalOf)
          await store.commit(seen, [])
        }
      }
      expect(listed).toEqual(all)
      expect(await keys('many/')).toEqual([])
    })

    test('lists values in batches, short and long ones, without expired ones', async () => {
      const written = Array.from(
        { length: 300 },
        (_, i): Put => ({
          kind: 'put',
          key: `batch/${String(i).padStart(4, '0')}`,
          value: new Uint8Array(i === 150 ? 200_000 : i % 7).fill(i),
          ...(i % 3 === 0 && { expiresInSeconds: i % 2 === 0 ? 10 : 1000 }),
        }),
      )
      await store.commit([...written, putOf('lot0', bytes('of no list'))], [])
      ahead = 20_000
      const [found, counts] = [[] as number[][], [] as number[]]
      for await (const batch of batchesOf(store, 'batch/')) {
        for (const value of valuesOf(batch)) found.push([...value])
        counts.push(batch.ends.length)
      }
      expect(found).toEqual(written.filter((_, i) => i % 6 !== 0).map(({ value }) => [...value]))
      expect(counts.length).toBeGreaterThan(1)
      expect(Math.max(...counts)).toBeLessThanOrEqual(valuesOfBatch)
      for await (const batch of batchesOf(store, 'nothing/')) expect(batch).toBeUndefined()
    })

    test('lists by prefix in the order of the keys', async () => {
      for (const key of ['x/2', 'x/10', 'y/1', 'x', 'x0']) await store.put(key, bytes(key))
      expect(await keys('x/')).toEqual(['x/10', 'x/2'])
      expect(await keys('z')).toEqual([])
    })

    test('writes once when fifty callers put at the same time if absent', async () => {
      const wrote = await Promise.all(
        Array.from({ length: 50 }, (_, i) => store.putIfAbsent('a', bytes(String(i)))),
      )
      expect(wrote.filter(Boolean)).toHaveLength(1)
      expect(text(await store.get('a'))).toBe(String(wrote.indexOf(true)))
    })

    test('commits all writes when every guard holds', async () => {
      await store.put('a', bytes('one'))
      const guards = [
        { key: 'a', value: bytes('one') },
        { key: 'b', value: undefined },
      ]
      expect(await store.commit([removalOf('a'), putOf('b', bytes('two'), 10)], guards)).toBe(true)
      expect(await keys('')).toEqual(['b'])
      ahead = 10_000
      expect(await keys('')).toEqual([])
    })

    test.each([
      ['other bytes', { key: 'a', value: bytes('two') }],
      ['a prefix of the bytes', { key: 'a', value: bytes('on') }],
      ['something expected where nothing is', { key: 'b', value: bytes('one') }],
      ['nothing expected where something is', { key: 'a', value: undefined }],
    ])('commits nothing when a guard fails: %s', async (_name, guard) => {
      await store.put('a', bytes('one'))
      const guards = [{ key: 'a', value: bytes('one') }, guard]
      expect(await store.commit([putOf('c', bytes('three'))], guards)).toBe(false)
      expect(await keys('')).toEqual(['a'])
    })

    test('lets one of fifty commits on the same bytes win', async () => {
      await store.put('a', bytes('start'))
      const guards = [{ key: 'a', value: bytes('start') }]
      const won = await Promise.all(
        Array.from({ length: 50 }, (_, i) => store.commit([putOf('a', bytes(String(i)))], guards)),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
    })

    test('lists after a given key, wherever it is', async () => {
      for (const key of ['x/1', 'x/2', 'x/3', 'y/1']) await store.put(key, bytes(key))
      const behind = async (after: string) => {
        const found: string[] = []
        for await (const { key } of store.list('x/', after)) found.push(key)
        return found
      }
      expect(await behind('x/1')).toEqual(['x/2', 'x/3'])
      expect(await behind('x/15')).toEqual(['x/2', 'x/3'])
      expect(await behind('a')).toEqual(['x/1', 'x/2', 'x/3'])
      expect(await behind('x/3')).toEqual([])
      expect(await behind('z')).toEqual([])
    })

    test('numbers what fifty commits add at once: each number once, none left out', async () => {
      const added = Array.from({ length: 50 }, (_, i) =>
        store.commit(
          [{ kind: 'append', key: 'session-change/log', value: bytes(String(i)), expiresInSeconds: 10 }],
          [],
        ),
      )
      await Promise.all(added)
      const listed: [number, string][] = []
      for await (const { key, value } of store.list('session-change/log/'))
        listed.push([numberOf(key), text(value)!])
      expect(listed.map(([number]) => number)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
      expect(new Set(listed.map(([, value]) => value)).size).toBe(50)
      expect(countOf(await store.get(counterOf('session-change/log')))).toBe(50)
      ahead = 10_000
      expect(await keys('session-change/log/')).toEqual([])
      await store.commit([{ kind: 'append', key: 'session-change/log', value: bytes('x') }], [])
      expect(await keys('session-change/log/')).toEqual([numberedKey('session-change/log', 51)])
    })

    test('adds to counts concurrently without losing any, until they expire; not if a guard fails', async () => {
      const add = (more: number, guards: readonly Guard[] = []) =>
        store.commit([{ kind: 'add', key: 'session-count/count', more, expiresInSeconds: 10 }], guards)
      await Promise.all(Array.from({ length: 50 }, () => add(2)))
      await add(-1)
      expect(await add(100, [{ key: 'session-count/count', value: undefined }])).toBe(false)
      expect(countOf(await store.get('session-count/count'))).toBe(99)
      expect(await keys('session-count/count')).toEqual(['session-count/count'])
      ahead = 10_000
      expect(await store.get('session-count/count')).toBeUndefined()
      await add(1)
      expect(countOf(await store.get('session-count/count'))).toBe(1)
    })
  })
}
