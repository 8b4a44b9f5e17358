import { expect, test } from 'vitest'
import { pages } from '#web/console/core/address.ts'
import { isWriting, letters, readShortcut, waitMilliseconds } from '#web/console/core/shortcuts.ts'

const before = (key: string, at = 0) => ({ key, at })

test('each page has a distinct letter after g', () => {
  expect(new Set(Object.values(letters)).size).toBe(pages.length)
  for (const page of pages) expect(readShortcut(letters[page], before('g'), 1)).toEqual({ kind: 'go', page })
})

test('a letter alone, or after another one, goes nowhere', () => {
  expect(readShortcut('s', null, 1)).toBeUndefined()
  expect(readShortcut('s', before('x'), 1)).toBeUndefined()
  expect(readShortcut('x', before('g'), 1)).toBeUndefined()
})

test('g waits for its letter for a limited time', () => {
  expect(readShortcut('s', before('g'), waitMilliseconds)).toEqual({ kind: 'go', page: 'sessions' })
  expect(readShortcut('s', before('g'), waitMilliseconds + 1)).toBeUndefined()
})

test('/ searches, ? lists the keys', () => {
  expect(readShortcut('/', null, 0)).toEqual({ kind: 'search' })
  expect(readShortcut('?', null, 0)).toEqual({ kind: 'help' })
})

const plain = { ctrlKey: false, metaKey: false, altKey: false, target: { tagName: 'BODY' } }

test.each([
  [{ target: { tagName: 'INPUT' } }, true],
  [{ target: { tagName: 'TEXTAREA' } }, true],
  [{ target: { tagName: 'SELECT' } }, true],
  [{ target: { tagName: 'DIV', isContentEditable: true } }, true],
  [{ ctrlKey: true }, true],
  [{ metaKey: true }, true],
  [{ altKey: true }, true],
  [{}, false],
  [{ target: { tagName: 'BUTTON' } }, false],
])('%j is writing: %s', (changes, expected) => {
  expect(isWriting({ ...plain, ...changes })).toBe(expected)
})
