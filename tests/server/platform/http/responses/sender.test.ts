import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createSender, mostTogether } from '#server/platform/http/responses/sender.ts'

/** Responses that keep what was written to them, and that they were ended. */
function responses() {
  const sent: string[] = []
  const ended: string[] = []
  const response = (name: string) => {
    const write = (text: string, encoding: string) => sent.push(`${name} ${text} ${encoding}`)
    return { write, end: () => ended.push(name) } as unknown as ServerResponse
  }
  return { sent, ended, response }
}

const turn = () => new Promise((over) => setImmediate(over))

test('answers of one turn leave at its end, in their order', async () => {
  const { sent, ended, response } = responses()
  const send = createSender()
  send(response('a'), 'one', 'latin1')
  await Promise.resolve()
  send(response('b'), 'two', 'utf8')
  expect(sent).toEqual([])
  await turn()
  expect(sent).toEqual(['a one latin1', 'b two utf8'])
  expect(ended).toEqual(['a', 'b'])
  send(response('c'), 'three', 'utf8')
  await turn()
  expect([sent.length, ended.length]).toEqual([3, 3])
})

test('no answer waits for more than the most of others', async () => {
  const { sent, ended, response } = responses()
  const send = createSender()
  for (let i = 1; i < mostTogether; i++) send(response('a'), String(i), 'latin1')
  expect(sent).toEqual([])
  send(response('a'), 'last', 'latin1')
  expect(sent).toHaveLength(mostTogether)
  send(response('b'), 'next', 'latin1')
  expect(sent).toHaveLength(mostTogether)
  await turn()
  expect(sent.at(-1)).toBe('b next latin1')
  expect(ended).toHaveLength(mostTogether + 1)
})
