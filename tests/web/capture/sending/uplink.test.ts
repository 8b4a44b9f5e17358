import { expect, test } from 'vitest'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import { createUplink } from '#web/capture/sending/uplink.ts'

/** Measures one upload on a network with this speed. */
function measured(bytesPerSecond: number, bytes = 300_000) {
  let at = 0
  const uplink = createUplink(() => at)
  const upload = () => {
    const tell = uplink.measure()
    // The first bytes are accepted immediately, whatever the network is like.
    for (let sent = 64_000; sent <= bytes; sent += 4_000) {
      tell(sent)
      at += (4_000 / bytesPerSecond) * 1000
    }
  }
  upload()
  return { uplink, upload }
}

test('pictures are as large as ever before anything is measured, and where the network is fast', () => {
  for (const uplink of [createUplink(), measured(2_000_000).uplink])
    expect([uplink.frameBytes(), uplink.handInMilliseconds(), uplink.takes(1e6)]).toEqual([
      thresholds.frameBytes,
      0,
      0,
    ])
})

test.each([
  [256_000, 76_000, 1900],
  [64_000, 55_000, 6000],
  [32_000, 24_000, 6900],
  [16_000, 24_000, 13_800],
])('at %i bytes a second pictures are made smaller, and not too small', (rate, bytes, milliseconds) => {
  const { uplink } = measured(rate)
  expect(uplink.frameBytes() / bytes).toBeCloseTo(1, 1)
  expect(uplink.handInMilliseconds() / milliseconds).toBeCloseTo(1, 1)
  expect(uplink.takes(rate) / 1000).toBeCloseTo(1, 1)
})

test('a person who may have changed the network is not held to what was measured, until it is again', () => {
  const { uplink, upload } = measured(16_000)
  uplink.forget()
  expect([uplink.handInMilliseconds(), uplink.takes(1e6), uplink.frameBytes()]).toEqual([0, 0, 24_000])
  upload()
  expect(uplink.handInMilliseconds()).toBeGreaterThan(13_000)
})
