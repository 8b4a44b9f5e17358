import { expect, test } from 'vitest'
import { deliveryTone } from '#web/console/developers/delivery-tone.ts'

const time = '2026-01-01T00:00:00.000Z'

test('a delivery that is still tried warns once an attempt was refused', () => {
  const refused = { time, status: 500, error: null }
  expect(deliveryTone({ state: 'pending', attempts: [] })).toBe('busy')
  expect(deliveryTone({ state: 'pending', attempts: [{ time, status: null, error: null }] })).toBe('busy')
  expect(deliveryTone({ state: 'pending', attempts: [refused] })).toBe('warn')
  expect(deliveryTone({ state: 'delivered', attempts: [refused] })).toBe('good')
  expect(deliveryTone({ state: 'failed', attempts: [refused] })).toBe('bad')
})
