import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { vouchedBy } from '#server/platform/web-authn/attestation/chain.ts'
import { type Certified, type DeviceMaker, newMaker, rootOf } from '../../../../support/passkeys/makers.ts'

const now = Date.now()
const year = 366 * 24 * 3600_000
const outcomeOf = (chain: readonly { der: Buffer }[], trusted: readonly DeviceMaker[], at = now) => {
  const certificates = chain.map(({ der }) => new X509Certificate(der))
  const vouched = vouchedBy(certificates, trusted.map(rootOf), at)
  return 'root' in vouched ? vouched.root.fingerprint : vouched.because
}
const nameOf = (maker: DeviceMaker) => rootOf(maker).fingerprint

test('a root certifies through the intermediates, whether or not it was sent along', async () => {
  const root = await newMaker('Root')
  const upper = await root.below('Upper')
  const series = await upper.below('Series')
  const device = await series.device('CN=Device')
  expect(outcomeOf([device, series, upper], [root])).toBe(nameOf(root))
  expect(outcomeOf([device, series, upper, root], [root])).toBe(nameOf(root))
  expect(outcomeOf([device, series, upper], [series])).toBe(nameOf(series))
  expect(outcomeOf([device, upper, series], [root])).toBe('unknownRoot')
  expect(outcomeOf([device, series], [root])).toBe('unknownRoot')
  expect(outcomeOf([], [root])).toBe('unknownRoot')
  expect(outcomeOf([device, series, upper], [])).toBe('unknownRoot')
})

test('a trusted certificate needs no issuer', async () => {
  const root = await newMaker('Root')
  const other = await newMaker('Model', { isAuthority: false })
  expect(outcomeOf([other], [other])).toBe(nameOf(other))
  expect(outcomeOf([await root.device('CN=Device'), root], [other])).toBe('unknownRoot')
})

test('another certificate of the same name certifies nothing, nor does one with a foreign signature', async () => {
  const [root, namesake] = [await newMaker('Root'), await newMaker('Root')]
  const device = await namesake.device('CN=Device')
  expect(outcomeOf([device], [root])).toBe('unknownRoot')
  expect(outcomeOf([device, root], [root])).toBe('unknownRoot')
  expect(outcomeOf([device, namesake], [root])).toBe('unknownRoot')
})

test('a device is not an authority: it certifies nothing', async () => {
  const root = await newMaker('Root')
  const posing = await root.below('Device', { isAuthority: false })
  const below = await posing.device('CN=Invented')
  expect(outcomeOf([below, posing], [root])).toBe('unknownRoot')
  const rootOfNone = await newMaker('Root', { isAuthority: false })
  expect(outcomeOf([await rootOfNone.device('CN=Device')], [rootOfNone])).toBe('unknownRoot')
})

test('an authority certifies no longer a path than it may', async () => {
  const root = await newMaker('Root', { pathLength: 1 })
  const upper = await root.below('Upper')
  expect(outcomeOf([await upper.device('CN=Device'), upper], [root])).toBe(nameOf(root))
  const lower = await upper.below('Lower')
  expect(outcomeOf([await lower.device('CN=Device'), lower, upper], [root])).toBe('unknownRoot')
  const last = await root.below('Last', { pathLength: 0 })
  const beyond = await last.below('Beyond')
  expect(outcomeOf([await beyond.device('CN=Device'), beyond, last], [last])).toBe('unknownRoot')
})

test.each<[string, Certified, Certified, Certified]>([
  ['the device', {}, {}, { to: -0.5 }],
  ['the one between', {}, { to: -0.5 }, {}],
  ['the one between, not begun yet', {}, { from: 1 }, {}],
  ['the root', { to: -0.5 }, {}, {}],
])('an invalid certificate certifies nothing: %s', async (_, ofRoot, ofSeries, ofDevice) => {
  const root = await newMaker('Root', ofRoot)
  const series = await root.below('Series', ofSeries)
  expect(outcomeOf([await series.device('CN=Device', ofDevice), series], [root])).toBe('certificateExpired')
})

test('validity is judged at the given time', async () => {
  const root = await newMaker('Root')
  const device = await root.device('CN=Device')
  expect(outcomeOf([device], [root])).toBe(nameOf(root))
  expect(outcomeOf([device], [root], now + year)).toBe('certificateExpired')
})
