import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createSender, mostTogether } from '#server/http/answers/sender.ts'

/** A response that keeps what it was ended with. */
function responses() {
  const ended: string[] = []
  const response = (name: string) =>
    ({
      end: (text: string, encoding: string) => ended.push(`${name} ${text} ${encoding}`),
    }) as unknown as ServerResponse
  return { ended, response }
}

const turn = () => new Promise((over) => setImmediate(over))

test('answers of one turn leave at its end, in their order', async () => {
  const { ended, response } = responses()
  const send = createSender()
  send(response('a'), 'one', 'latin1')
  await Promise.resolve()
  send(response('b'), 'two', 'utf8')
  expect(ended).toEqual([])
  await turn()
  expect(ended).toEqual(['a one latin1', 'b two utf8'])
  send(response('c'), 'three', 'utf8')
  await turn()
  expect(ended).toHaveLength(3)
})

test('no answer waits for more than the most of others', async () => {
  const { ended, response } = responses()
  const send = createSender()
  for (let i = 1; i < mostTogether; i++) send(response('a'), String(i), 'latin1')
  expect(ended).toEqual([])
  send(response('a'), 'last', 'latin1')
  expect(ended).toHaveLength(mostTogether)
  send(response('b'), 'next', 'latin1')
  expect(ended).toHaveLength(mostTogether)
  await turn()
  expect(ended.at(-1)).toBe('b next latin1')
})
