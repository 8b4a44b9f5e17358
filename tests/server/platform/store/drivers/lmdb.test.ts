import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { valuesOf } from '#server/platform/store/batches/batches.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { putOf, removalOf } from '#server/platform/store/store.ts'

/** Two stores that this process opens on the same folder. */
async function withTwo(work: (one: Opened, other: Opened, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-lmdb-'))
  const [one, other] = [openLmdbStore(folder), openLmdbStore(join(folder, '.'))]
  try {
    await work(one, other, folder)
  } finally {
    await Promise.all([one.close(), other.close()])
    rmSync(folder, { recursive: true, force: true })
  }
}

type Opened = ReturnType<typeof openLmdbStore>

test('two stores on one folder read each other’s writes, and their commits never deadlock', async () => {
  await withTwo(async (one, other) => {
    const rounds = Array.from({ length: 200 }, (_, i) => i)
    const write = (store: Opened, name: string) =>
      Promise.all(rounds.map((i) => store.commit([putOf(`${name} ${i}`, Buffer.of(i))], [])))
    const added = await Promise.all([write(one, 'one'), write(other, 'other')])
    expect(added.flat().every(Boolean)).toBe(true)
    expect(await one.get('other 199')).toEqual(Buffer.of(199))
    expect(await other.get('one 199')).toEqual(Buffer.of(199))
  })
})

test('closing one leaves the other’s open data alone, also when closing twice', async () => {
  await withTwo(async (one, other) => {
    await one.put('key', Buffer.of(1))
    await one.close()
    await one.close()
    expect(await other.get('key')).toEqual(Buffer.of(1))
    await other.put('key', Buffer.of(2))
    expect(await other.get('key')).toEqual(Buffer.of(2))
  })
})

test('a folder that all have closed opens again with its contents', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-lmdb-'))
  const first = openLmdbStore(folder)
  await first.put('key', Buffer.of(3))
  await first.close()
  const second = openLmdbStore(folder)
  expect(await second.get('key')).toEqual(Buffer.of(3))
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})

test('batches include concurrent writes and removals further on, and two readers of them do not interfere', async () => {
  await withTwo(async (one, other) => {
    const keys = Array.from({ length: 400 }, (_, i) => `many/${String(i).padStart(4, '0')}`)
    await one.commit(
      keys.map((key) => putOf(key, Buffer.from(key))),
      [],
    )
    const read = async (store: Opened, between: (batches: number) => Promise<unknown>) => {
      const found: string[] = []
      let batches = 0
      for await (const batch of store.batches!('many/')) {
        for (const value of valuesOf(batch)) found.push(Buffer.from(value).toString())
        await between(++batches)
      }
      return found
    }
    expect(await Promise.all([read(one, async () => undefined), read(other, async () => undefined)])).toEqual(
      [keys, keys],
    )
    const changed = await read(one, async (batches) => {
      if (batches > 1) return
      await other.commit([removalOf(keys[0]!), removalOf(keys[200]!)], [])
      await other.put('many/9999', Buffer.from('comes late'))
    })
    expect(changed).toEqual([...keys.filter((_, i) => i !== 200), 'comes late'])
  })
})

test('immediate reads return the current value, also after each commit of another store in the process', async () => {
  await withTwo(async (one, other) => {
    for (let i = 0; i < 50; i++) {
      // By then, the other one has its snapshot, taken at the same moment.
      expect(other.get('key')).toEqual(i === 0 ? undefined : Buffer.of(i - 1))
      const writing = one.put('key', Buffer.of(i))
      expect(other.get('key')).toEqual(i === 0 ? undefined : Buffer.of(i - 1))
      await writing
      expect(other.get('key')).toEqual(Buffer.of(i))
      expect(one.get('key')).toEqual(Buffer.of(i))
    }
  })
})

test('read values stay unchanged, whatever is read after them', async () => {
  await withTwo(async (one) => {
    const large = Buffer.alloc(100_000, 7)
    await one.put('large', large)
    await one.put('small', Buffer.from('small'))
    const [first, second] = [one.get('small'), one.get('large')]
    one.get('small')
    expect(Buffer.from((await second)!).equals(large)).toBe(true)
    expect(Buffer.from((await first)!).toString()).toBe('small')
  })
})

const others = `
  import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
  const store = openLmdbStore(process.argv[1])
  process.on('message', (i) => void store.put('told', Buffer.of(i)).then(() => process.send(i)))
  process.on('disconnect', () => process.exit())
  process.send('ready')`

test('an acknowledged write of another process is in the next read', async () => {
  await withTwo(async (one, _other, folder) => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', others, folder], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    try {
      await once(child, 'message')
      for (let i = 0; i < 100; i++) {
        one.get('told')
        child.send(i)
        await once(child, 'message')
        expect(one.get('told')).toEqual(Buffer.of(i))
      }
    } finally {
      child.kill()
    }
  })
}, 30_000)

test('a sweep of many entries is many short commits, between which the event loop turns', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-lmdb-'))
  let ahead = 0
  let turn = 0
  const looks = new Map<number, number>()
  const store = openLmdbStore(folder, () => {
    looks.set(turn, (looks.get(turn) ?? 0) + 1)
    return Date.now() + ahead
  })
  const writes = Array.from({ length: 1000 }, (_, i) => putOf(`${i}`, Buffer.of(1), 1))
  await store.commit(writes, [])
  ahead = 2000
  looks.clear()
  let isOver = false
  const count = () => {
    turn++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  expect(await store.sweep()).toBe(1000)
  isOver = true
  expect(await store.sweep()).toBe(0)
  // A commit checks the clock once for each of its hundred entries.
  expect(Math.max(...looks.values())).toBeLessThan(300)
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
