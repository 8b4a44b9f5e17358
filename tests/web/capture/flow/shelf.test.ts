import { expect, test } from 'vitest'
import { outlivesReload, tabShelf } from '#web/capture/flow/shelf.ts'

test('falls back to memory if the browser refuses access', () => {
  const page = {
    get sessionStorage(): Storage {
      throw new DOMException('refused', 'SecurityError')
    },
  }
  expect(outlivesReload(page)).toBe(false)
  const shelf = tabShelf(page)
  expect(shelf.getItem('a')).toBeNull()
  shelf.setItem('a', '1')
  expect(shelf.getItem('a')).toBe('1')
  shelf.removeItem('a')
  expect(shelf.getItem('a')).toBeNull()
})

test('uses an available storage', () => {
  const kept: string[] = []
  const sessionStorage = {
    getItem: () => '1',
    setItem: (key: string) => void kept.push(key),
    removeItem() {},
  }
  expect(outlivesReload({ sessionStorage })).toBe(true)
  const shelf = tabShelf({ sessionStorage })
  shelf.setItem('a', '1')
  expect([shelf.getItem('a'), kept]).toEqual(['1', ['a']])
})

/** A page with a history entry that survives a reload. */
function pageWith(sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const history = {
    state: { other: 1 } as unknown,
    replaceState(state: unknown) {
      history.state = structuredClone(state)
    },
  }
  return { history, sessionStorage }
}

const nothing = { getItem: () => null, removeItem: () => {} }
const full = {
  ...nothing,
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError')
  },
}

test.each([
  ['is full', full],
  ['forgets what it is given', { ...nothing, setItem: () => {} }],
])('what a storage that %s does not keep outlives a reload all the same', (_what, storage) => {
  const page = pageWith(storage)
  tabShelf(page).setItem('a', '1')
  expect(tabShelf(page).getItem('a')).toBe('1')
  tabShelf(page).removeItem('a')
  expect(tabShelf(page).getItem('a')).toBeNull()
  expect(page.history.state).toMatchObject({ other: 1 })
})

test('a storage that was full once holds what is put there later', () => {
  const kept = new Map<string, string>([['a', '0']])
  let isFull = true
  const page = pageWith({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void (isFull ? full.setItem() : kept.set(key, value)),
    removeItem: (key) => void kept.delete(key),
  })
  const shelf = tabShelf(page)
  shelf.setItem('a', '1')
  expect(shelf.getItem('a')).toBe('1')
  isFull = false
  shelf.setItem('a', '2')
  expect([shelf.getItem('a'), kept.get('a')]).toEqual(['2', '2'])
})
