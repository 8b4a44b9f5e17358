import { expect, test } from 'vitest'
import { createKeyedMutex } from '#shared/concurrency/keyed-mutex.ts'

function start() {
  const mutex = createKeyedMutex()
  const events: string[] = []
  const ends = new Map<string, () => void>()
  const run = (key: string, name: string) =>
    mutex.runExclusive(key, async () => {
      events.push(`${name} begins`)
      await new Promise<void>((end) => ends.set(name, end))
      events.push(`${name} ends`)
      return name
    })
  return { mutex, events, run, end: (name: string) => ends.get(name)!() }
}

const settled = () => new Promise((over) => setTimeout(over, 1))

test('work under one key runs sequentially in order of arrival; other keys do not wait', async () => {
  const { events, run, end } = start()
  const all = [run('a', 'first'), run('a', 'second'), run('b', 'other')]
  await settled()
  expect(events).toEqual(['first begins', 'other begins'])
  end('first')
  await settled()
  expect(events).toEqual(['first begins', 'other begins', 'first ends', 'second begins'])
  end('second')
  end('other')
  expect(await Promise.all(all)).toEqual(['first', 'second', 'other'])
})

test('failed work does not block later work, and only its caller sees the failure', async () => {
  const { mutex } = start()
  const failed = mutex.runExclusive('a', () => Promise.reject(new Error('no')))
  const next = mutex.runExclusive('a', async () => 'next')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('next')
})
