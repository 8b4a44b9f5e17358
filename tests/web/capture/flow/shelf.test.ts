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
    getItem: () => 'x',
    setItem: (key: string) => void kept.push(key),
    removeItem() {},
  }
  expect(outlivesReload({ sessionStorage })).toBe(true)
  const shelf = tabShelf({ sessionStorage })
  shelf.setItem('a', '1')
  expect([shelf.getItem('a'), kept]).toEqual(['x', ['a']])
})
