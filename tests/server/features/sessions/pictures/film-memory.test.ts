import { describe, expect, test } from 'vitest'
import { createFilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'

const week = 7 * 24 * 3600_000
const begun = Date.UTC(2026, 0, 2)
const of = (sessionId: string, tries = 0) => ({ sessionId, created: begun, tries })
const film = (name: string, count = 4) => Array.from({ length: count }, (_, i) => Buffer.from(`${name} ${i}`))

function start(secret = 3) {
  let time = begun
  const now = () => time
  const store = createMemoryStore(now)
  const create = () => createFilmMemory(store, createKeyRing(Buffer.alloc(32, secret), 'EU'), now)
  async function contents() {
    const lines: string[] = []
    for await (const { key, value } of store.list('')) lines.push(`${key} ${Buffer.from(value)}`)
    return lines
  }
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  return { create, memory: create(), contents, pass }
}

describe('the memory of films', () => {
  test('knows one that another session sent, in whatever order and in the middle of another', async () => {
    const { memory } = start()
    expect(await memory.known(of('a'), film('one'))).toEqual([false, false, false, false])
    expect(await memory.known(of('b'), film('other'))).toEqual([false, false, false, false])
    expect(await memory.known(of('c'), film('one').reverse())).toEqual([true, true, true, true])
    const [first, second] = film('one')
    expect(await memory.known(of('d'), [...film('new', 2), first!, second!])).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  test('does not know what the same try sent before, however often it comes again', async () => {
    const { memory, contents } = start()
    await memory.known(of('a'), film('one'))
    const before = await contents()
    expect(await memory.known(of('a'), film('one'))).toEqual([false, false, false, false])
    expect(await contents()).toEqual(before)
  })

  test('knows what another try of the session sent', async () => {
    const { memory } = start()
    await memory.known(of('a', 0), film('one'))
    expect(await memory.known(of('a', 1), film('one'))).toEqual([true, true, true, true])
    expect(await memory.known(of('a', 1), film('two'))).toEqual([false, false, false, false])
  })

  test('looks up some pictures of a long film: the same ones in whatever pieces it comes again', async () => {
    const { memory } = start()
    const long = film('long', 96)
    const first = await memory.known(of('a'), long)
    expect(first.filter((one) => one !== undefined)).toHaveLength(12)
    expect(await memory.known(of('b'), long)).toEqual(first.map((one) => (one === undefined ? one : true)))
    const pieces = [long.slice(0, 30), long.slice(30, 45), long.slice(45)]
    const again = []
    for (const piece of pieces) again.push(...(await memory.known(of('c'), piece)))
    const lookedUp = again.filter((one) => one !== undefined)
    expect(lookedUp.length).toBeGreaterThanOrEqual(12)
    expect(lookedUp.filter(Boolean).length).toBeGreaterThanOrEqual(lookedUp.length / 2)
  })

  test('chooses them by the key of the deployment', async () => {
    const chosenWith = async (secret: number) => {
      const seen = await start(secret).memory.known(of('a'), film('long', 96))
      return seen.flatMap((one, i) => (one === undefined ? [] : i))
    }
    expect(await chosenWith(3)).toEqual(await chosenWith(3))
    expect(await chosenWith(3)).not.toEqual(await chosenWith(4))
  })

  test('looks one picture up once that comes over and over', async () => {
    const { memory } = start()
    const still = Array.from({ length: 9 }, () => Buffer.from('still'))
    expect(await memory.known(of('a'), still)).toEqual(still.map(() => false))
  })

  test('keeps nothing of no film', async () => {
    const { memory, contents } = start()
    expect(await memory.known(of('a'), [])).toEqual([])
    expect(await contents()).toEqual([])
  })

  test('lets one session have a film that comes with several at once, in whatever processes', async () => {
    const { create } = start()
    const found = await Promise.all(
      ['a', 'b', 'c'].map((session) => create().known(of(session), film('one'))),
    )
    expect(found.filter((known) => known.every((one) => one === false))).toHaveLength(1)
    expect(found.filter((known) => known.every((one) => one === true))).toHaveLength(2)
  })

  test('forgets the films of a session, and no others', async () => {
    const { memory, contents } = start()
    await memory.known(of('a', 0), film('one', 40))
    await memory.known(of('a', 1), film('two'))
    await memory.known(of('kept'), film('three'))
    await memory.known(of('kept'), film('one', 40))
    await memory.forget(['a', 'unknown'])
    expect((await contents()).join('\n')).not.toContain('"a/')
    expect(await memory.known(of('b'), film('two'))).toEqual([false, false, false, false])
    expect(await memory.known(of('c'), film('three'))).toEqual([true, true, true, true])
    await memory.forget(['b', 'kept'])
    expect(await contents()).toEqual([])
  })

  test.each([
    [week - 1, true],
    [week, false],
  ])('after %i ms knows it: %j', async (milliseconds, known) => {
    const { memory, pass } = start()
    await memory.known(of('a'), film('one'))
    pass(milliseconds)
    const later = { ...of('b'), created: begun + milliseconds }
    expect(await memory.known(later, film('one'))).toEqual(Array(4).fill(known))
  })
})
