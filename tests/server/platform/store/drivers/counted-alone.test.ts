import { expect, test } from 'vitest'
import { countedAloneWhereRefused } from '#server/platform/store/drivers/counted-alone.ts'
import type { RateCounter } from '#server/platform/store/rate-counter.ts'
import { WriteFailed } from '#server/platform/store/store.ts'

/** A server that counts. The test decides what it rejects. */
function server() {
  let [uses, refuses] = [0, { add: false, peek: false }]
  const shared: RateCounter = {
    async add(_key, _window, more = 1) {
      if (refuses.add) throw new WriteFailed('the disk is full')
      uses += more
      return { count: uses, resetsInSeconds: 30 }
    },
    async peek() {
      if (refuses.peek) throw new WriteFailed('the disk is full')
      return { count: uses, resetsInSeconds: 30 }
    },
  }
  const refuse = (add: boolean, peek: boolean) => {
    refuses = { add, peek }
  }
  return { counter: countedAloneWhereRefused(shared), refuse }
}

test('a server that accepts writes counts everything', async () => {
  const { counter } = server()
  expect(await counter.add('a', 60, 2)).toEqual({ count: 2, resetsInSeconds: 30 })
  expect(await counter.peek('a', 60)).toEqual({ count: 2, resetsInSeconds: 30 })
})

test.each([
  ['of a server that still answers a look', false],
  ['of one that refuses this, too', true],
])('local counts are visible to a read, %s', async (_name, peek) => {
  const { counter, refuse } = server()
  refuse(true, peek)
  expect((await counter.peek('a', 60)).count).toBe(0)
  for (const count of [1, 2, 3]) expect((await counter.add('a', 60)).count).toBe(count)
  expect(await counter.peek('a', 60)).toEqual({ count: 3, resetsInSeconds: 60 })
  expect((await counter.peek('b', 60)).count).toBe(0)
})

test('a limit does not restart when the server begins to refuse, nor when it accepts writes again', async () => {
  const { counter, refuse } = server()
  await counter.add('a', 60, 4)
  refuse(true, false)
  expect(await counter.add('a', 60)).toEqual({ count: 5, resetsInSeconds: 60 })
  refuse(false, false)
  expect((await counter.add('a', 60)).count).toBe(6)
  expect((await counter.peek('a', 60)).count).toBe(6)
})

test('an unreachable server is not counted for', async () => {
  const gone = async () => {
    throw new Error('away')
  }
  const counter = countedAloneWhereRefused({ add: gone, peek: gone })
  await expect(counter.add('a', 60)).rejects.toThrow('away')
  await expect(counter.peek('a', 60)).rejects.toThrow('away')
})
