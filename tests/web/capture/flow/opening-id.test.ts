import { expect, test } from 'vitest'
import { createOpeningId } from '#web/capture/flow/opening-id.ts'

function shelfOf(kept = new Map<string, string>()) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

const refusing = {
  getItem: () => {
    throw new Error('refused')
  },
  setItem: () => {
    throw new Error('refused')
  },
  removeItem: () => {
    throw new Error('refused')
  },
}

test('a tab keeps its secret, even over a reload, until the link is open', () => {
  const shelf = shelfOf()
  const id = createOpeningId(shelf)
  expect(id.isKept()).toBe(false)
  const secret = id.read()
  expect(createOpeningId(shelf).isKept()).toBe(true)
  expect(secret).toMatch(/^[0-9a-f]{32}$/)
  expect(id.read()).toBe(secret)
  expect(createOpeningId(shelf).read()).toBe(secret)
  id.drop()
  expect(id.isKept()).toBe(false)
  expect(id.read()).not.toBe(secret)
})

test('a tab without storage keeps its secret until it is reloaded', () => {
  const id = createOpeningId(refusing)
  const secret = id.read()
  expect(id.read()).toBe(secret)
  id.drop()
  expect(id.read()).not.toBe(secret)
})
