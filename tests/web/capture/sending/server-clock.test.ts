import { expect, test } from 'vitest'
import { createServerClock } from '#web/capture/sending/server-clock.ts'

const init = { method: 'GET', headers: {} }
const answering = (date: string | null) => async () => ({
  ok: true,
  status: 200,
  headers: { get: (name: string) => (name === 'date' ? date : null) },
  text: async () => '',
})

test('a device whose clock is fast learns the server’s time from an answer, and keeps it if one has none', async () => {
  const clock = createServerClock()
  const tenMinutesAgo = new Date(Date.now() - 600_000).toUTCString()
  await clock.watched(answering(tenMinutesAgo))('https://check.example/', init)
  await clock.watched(answering(null))('https://check.example/', init)
  expect(Math.abs(Date.now() - 600_000 - clock.now())).toBeLessThan(2000)
})

test('before the first answer only the device’s clock is available', () => {
  expect(Math.abs(Date.now() - createServerClock().now())).toBeLessThan(1000)
})

test('an answer that was held back is late by as much, beyond the quickest one', async () => {
  const clock = createServerClock()
  const sent = (ago: number) => answering(new Date(Date.now() - ago).toUTCString())
  await clock.watched(sent(0))('https://check.example/', init)
  expect(clock.lateness()).toBe(0)
  await clock.watched(sent(6000))('https://check.example/', init)
  expect(Math.abs(clock.lateness() - 6000)).toBeLessThan(1100)
  await clock.watched(answering(null))('https://check.example/', init)
  await clock.watched(sent(0))('https://check.example/', init)
  expect(clock.lateness()).toBeLessThan(1100)
})
