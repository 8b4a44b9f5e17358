import { describe, expect, test } from 'vitest'
import type { Analysis } from '#models/rules/analysis.ts'
import { signatureSide } from '#models/rules/liveness/scene-signature.ts'
import { createPictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import { compare, keyedSigns, project } from '#server/features/sessions/pictures/picture-signature.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'

const size = 128
/** Numbers with a mean square of 100, and an orthogonal shift. */
const numbers = Array.from({ length: size }, (_, i) => (i % 2 === 0 ? 10 : -10))
const rest = (by: number, of: readonly number[] = numbers) =>
  of.map((value, i) => value + (i % 4 < 2 ? by : -by))
const gain = (by: number) => numbers.map((value) => value * (1 + by))

describe('two pictures', () => {
  test.each([
    [0, 'same'],
    [0.9e-4, 'same'],
    [-0.9e-4, 'same'],
    [1.1e-4, 'similar'],
    [1.69e-3, 'similar'],
    [-1.69e-3, 'similar'],
    [1.71e-3, 'none'],
    [-1.71e-3, 'none'],
  ])('whose brightness differs by a share of %d are %s', (by, reuse) => {
    expect(compare(numbers, gain(by))).toBe(reuse)
  })

  test.each([
    [0.059, 'same'],
    [0.061, 'similar'],
    [0.499, 'similar'],
    [0.501, 'none'],
  ])('that differ by %d besides the brightness are %s', (by, reuse) => {
    expect(compare(numbers, rest(by))).toBe(reuse)
  })

  test.each([
    [1.6e-3, 0.49, 'similar'],
    [-1.6e-3, 0.49, 'similar'],
    [0.9e-4, 0.49, 'similar'],
    [1.8e-3, 0.05, 'none'],
  ])(
    'whose brightness differs by a share of %d and that differ by %d otherwise are %s',
    (light, beside, reuse) => {
      expect(compare(numbers, rest(beside, gain(light)))).toBe(reuse)
    },
  )

  test('are distinguished by the first number alone if that is far off', () => {
    expect(compare(numbers, [numbers[0]! * 1.02 + 4.01, ...numbers.slice(1)])).toBe('none')
  })

  test('of pure black never match', () => {
    const black = new Array<number>(size).fill(0)
    expect(compare(black, black)).toBe('none')
  })
})

describe('the numbers of a picture', () => {
  const signs = keyedSigns(Buffer.from('one key'))
  const signature = Float32Array.from({ length: signatureSide ** 2 }, (_, i) => 128 + 100 * Math.sin(i))

  test('are 128, to a thousandth', () => {
    const found = project(signature, signs)
    expect(found).toHaveLength(size)
    for (const value of found) expect(value * 1000).toBeCloseTo(Math.round(value * 1000), 6)
  })

  test('depend on the key', () => {
    expect(project(signature, keyedSigns(Buffer.from('one key')))).toEqual(project(signature, signs))
    expect(project(signature, keyedSigns(Buffer.from('another')))).not.toEqual(project(signature, signs))
  })

  test('are linear in the brightness', () => {
    const brighter = project(
      signature.map((value) => value * 1.1),
      signs,
    )
    for (const [i, value] of project(signature, signs).entries())
      expect(brighter[i]).toBeCloseTo(value * 1.1, 2)
  })

  test('preserve the distance of two pictures on average', () => {
    const other = signature.map((value, i) => value + Math.cos(i * 7))
    const far = (a: ArrayLike<number>, b: ArrayLike<number>) =>
      Math.sqrt(Array.from(a).reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0) / a.length)
    const ratio = far(project(signature, signs), project(other, signs)) / far(signature, other)
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.2)
  })

  test('come from rows with equal numbers of plus and minus one', () => {
    expect(signs).toHaveLength(size * signatureSide ** 2)
    expect(new Set(signs)).toEqual(new Set([1, -1]))
    expect(Math.abs(signs.reduce((sum, sign) => sum + sign, 0)) / signs.length).toBeLessThan(0.02)
  })
})

describe('the memory of pictures', () => {
  const week = 7 * 24 * 3600_000
  const begun = Date.UTC(2026, 0, 2)
  const of = (sessionId: string, created = begun) => ({ sessionId, created })

  function start() {
    let time = begun
    const now = () => time
    const store = createMemoryStore(now)
    const lists: string[] = []
    const list = (prefix: string) => {
      lists.push(prefix)
      return store.list(prefix)
    }
    const keyRing = createKeyRing(Buffer.alloc(32, 3), 'EU')
    const gets: string[] = []
    const get = (key: string) => {
      gets.push(key)
      return store.get(key)
    }
    const create = () => createPictureMemory({ ...store, list, get }, keyRing, now)
    return {
      store,
      lists,
      gets,
      create,
      memory: create(),
      pass: (milliseconds: number) => {
        time += milliseconds
      },
    }
  }

  /** The analysis of a picture that is re-encoded each time: its own pattern plus a trace of noise. */
  let shots = 0
  const shot = (pattern: number) => {
    const sceneSignature = Float32Array.from(
      { length: signatureSide ** 2 },
      (_, i) => 128 + 60 * Math.sin(i * (1 + pattern / 7)) + 0.01 * Math.sin(i + ++shots),
    )
    return [Buffer.from(`jpeg ${++shots}`), { sceneSignature } as unknown as Analysis] as const
  }

  test('finds re-encoded pictures of another session, and not those of the same one', async () => {
    const { memory } = start()
    expect(await memory.findReuse(of('a'), ...shot(1))).toBe('none')
    expect(await memory.findReuse(of('a'), ...shot(1))).toBe('none')
    expect(await memory.findReuse(of('b'), ...shot(2))).toBe('none')
    expect(await memory.findReuse(of('b'), ...shot(1))).toBe('same')
  })

  test('finds them when both arrive at once, even at first use', async () => {
    const { memory } = start()
    const found = await Promise.all(
      ['a', 'b', 'c'].map((session) => memory.findReuse(of(session), ...shot(1))),
    )
    expect(found.sort()).toEqual(['none', 'same', 'same'])
  })

  test('finds identical bytes without a signature', async () => {
    const { memory } = start()
    const bare = {} as Analysis
    expect(await memory.findReuse(of('a'), Buffer.from('x'), bare)).toBe('none')
    expect(await memory.findReuse(of('a'), Buffer.from('x'), bare)).toBe('none')
    expect(await memory.findReuse(of('b'), Buffer.from('x'), bare)).toBe('same')
  })

  test('survives a restart', async () => {
    const { memory, create } = start()
    await memory.findReuse(of('a'), ...shot(1))
    const later = create()
    expect(await later.findReuse(of('b'), ...shot(1))).toBe('same')
    expect(await later.findReuse(of('c'), ...shot(2))).toBe('none')
  })

  test('reads the store once', async () => {
    const { memory, lists } = start()
    await Promise.all([1, 2, 3].map((pattern) => memory.findReuse(of('a'), ...shot(pattern))))
    await memory.findReuse(of('b'), ...shot(4))
    expect(lists).toHaveLength(1)
  })

  test('finds the later pictures of another process, and reads only those', async () => {
    const { memory, create, lists, gets } = start()
    const other = create()
    for (let pattern = 1; pattern <= 30; pattern++) await memory.findReuse(of('a'), ...shot(pattern))
    expect(await other.findReuse(of('b'), ...shot(1))).toBe('same')
    for (let pattern = 31; pattern <= 33; pattern++) await memory.findReuse(of('a'), ...shot(pattern))
    lists.length = 0
    gets.length = 0
    expect(await other.findReuse(of('b'), ...shot(33))).toBe('same')
    expect(await other.findReuse(of('b'), ...shot(34))).toBe('none')
    expect(lists).toEqual([])
    expect(gets.filter((key) => key.startsWith('picture-log/'))).toHaveLength(3)
  })

  test('lets one process have a picture that arrives at two at once', async () => {
    const { memory, create } = start()
    const other = create()
    for (let pattern = 1; pattern <= 20; pattern++) {
      const found = await Promise.all([
        memory.findReuse(of('a'), ...shot(pattern)),
        other.findReuse(of('b'), ...shot(pattern)),
      ])
      expect(found.sort()).toEqual(['none', 'same'])
    }
  })

  test('does not reveal later senders of a picture to a session that sends it again', async () => {
    const { memory, create } = start()
    const first = shot(1)
    expect(await memory.findReuse(of('a'), ...first)).toBe('none')
    expect(await create().findReuse(of('b'), ...shot(1))).toBe('same')
    expect(await memory.findReuse(of('a'), ...first)).toBe('none')
  })

  test.each([
    ['when it catches up', true],
    ['with the next picture', false],
  ])('forgets in every process what one erased: %s', async (_name, catchesUp) => {
    const { memory, create, gets } = start()
    const other = create()
    await memory.findReuse(of('a'), ...shot(1))
    await memory.findReuse(of('kept'), ...shot(2))
    expect(await other.findReuse(of('b'), ...shot(1))).toBe('same')
    await memory.forget(['a', 'b'])
    if (catchesUp) await other.catchUp()
    gets.length = 0
    expect(await other.findReuse(of('c'), ...shot(1))).toBe('none')
    expect(gets.filter((key) => key.startsWith('picture-log/'))).toHaveLength(catchesUp ? 0 : 2)
    expect(await other.findReuse(of('c'), ...shot(2))).toBe('same')
  })

  test('reads it again if that failed', async () => {
    const { store } = start()
    let fails = true
    const list = store.list
    store.list = (prefix) => {
      if (fails) throw new Error('not now')
      return list(prefix)
    }
    const keyRing = createKeyRing(Buffer.alloc(32, 3), 'EU')
    const memory = createPictureMemory(store, keyRing, () => Date.UTC(2026, 0, 2))
    await expect(memory.findReuse(of('a'), ...shot(2))).rejects.toThrow('not now')
    fails = false
    expect(await memory.findReuse(of('a'), ...shot(2))).toBe('none')
  })

  test.each([
    [week - 1, 'same'],
    [week, 'none'],
  ])('after %i ms finds it as %s', async (milliseconds, reuse) => {
    const { memory, pass } = start()
    await memory.findReuse(of('a'), ...shot(1))
    pass(milliseconds)
    expect(await memory.findReuse(of('b'), ...shot(1))).toBe(reuse)
  })

  test('forgets a picture with its session, however late it arrived', async () => {
    const { memory, pass } = start()
    pass(600_000)
    await memory.findReuse(of('long', begun + 600_000), ...shot(2))
    await memory.findReuse(of('a'), ...shot(1))
    pass(week - 600_000)
    expect(await memory.findReuse(of('b', begun + week), ...shot(2))).toBe('same')
    expect(await memory.findReuse(of('c', begun + week), ...shot(1))).toBe('none')
  })

  test('stores its numbers sealed', async () => {
    const { store, memory } = start()
    const [bytes, analysis] = shot(1)
    await memory.findReuse(of('a'), bytes, analysis)
    const kept: string[] = []
    for await (const { value } of store.list('picture-log/')) kept.push(Buffer.from(value).toString())
    expect(kept).toHaveLength(1)
    const { value } = JSON.parse(kept[0]!)
    expect(Object.keys(value).sort()).toEqual(['sealed', 'sequence', 'sessionId', 'until'])
    const signs = keyedSigns(createKeyRing(Buffer.alloc(32, 3), 'EU').derive('picture-memory'))
    const plain = Buffer.from(Float32Array.from(project(analysis.sceneSignature!, signs)).buffer)
    expect(Buffer.from(value.sealed, 'base64url').includes(plain.subarray(0, 16))).toBe(false)
  })
})
