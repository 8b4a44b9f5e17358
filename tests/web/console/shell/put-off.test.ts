import { expect, test } from 'vitest'
import { putOff, readPutOff } from '#web/console/shell/put-off.ts'

test('the question for a name is deferred for one account', () => {
  const kept = new Map<string, string>()
  const tab = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  }
  expect(readPutOff(tab)).toBeNull()
  putOff(tab, 'acc-1')
  expect(readPutOff(tab)).toBe('acc-1')
})

test('a browser without storage is asked again, without a failure', () => {
  const refuse = () => {
    throw new Error('refused')
  }
  expect(() => putOff({ setItem: refuse }, 'acc-1')).not.toThrow()
  expect(readPutOff({ getItem: refuse })).toBeNull()
})
