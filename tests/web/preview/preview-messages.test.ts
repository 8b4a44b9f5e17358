import { expect, test } from 'vitest'
import { hear } from '#web/preview/preview-messages.ts'

const origin = 'https://id.example'

/** A window that receives messages which the test sends. */
function listening(meant: () => MessageEventSource | null | undefined) {
  const heard: unknown[] = []
  const target = new EventTarget()
  const here = {
    location: { origin },
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  } as unknown as Parameters<typeof hear>[0]
  const end = hear(here, meant, (message) => heard.push(message))
  const send = (from: unknown, by: string, data: unknown) =>
    target.dispatchEvent(Object.assign(new Event('message'), { source: from, origin: by, data }))
  return { heard, send, end }
}

const frame = { name: 'frame' } as unknown as MessageEventSource

test('messages of the expected window are received, until it is enough', () => {
  const { heard, send, end } = listening(() => frame)
  send(frame, origin, 'first')
  end()
  send(frame, origin, 'late')
  expect(heard).toEqual(['first'])
})

test.each([
  ['another origin', frame, 'https://evil.example'],
  ['a frame without an origin', frame, 'null'],
  ['another window of the same origin', { name: 'other' }, origin],
  ['nobody', null, origin],
])('%s is ignored', (_, from, by) => {
  const { heard, send } = listening(() => frame)
  send(from, by, 'nonsense')
  expect(heard).toEqual([])
})

test('no messages are received without an expected window', () => {
  const { heard, send } = listening(() => null)
  send(null, origin, 'nonsense')
  send(frame, origin, 'nonsense')
  expect(heard).toEqual([])
})
