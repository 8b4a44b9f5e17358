import { describe, expect, test } from 'vitest'
import { canUsePasskeys, type Place } from '#web/capture/sending/passkey.ts'

/** A top-level page, unless it is framed. `allowed` is what the parent page delegates; null if that is unknown. */
function placeOf({ secure = true, known = true, framed = false, allowed = null as string[] | null }): Place {
  const featurePolicy =
    allowed === null ? undefined : { allowsFeature: (name: string) => allowed.includes(name) }
  const page: { parent?: unknown } & Record<string, unknown> = {
    isSecureContext: secure,
    document: { featurePolicy },
    ...(known ? { PublicKeyCredential: class {} } : {}),
  }
  page.parent = framed ? {} : page
  return page as unknown as Place
}
const both = ['publickey-credentials-get', 'publickey-credentials-create']

describe('canUsePasskeys', () => {
  test.each([
    ['a page of its own', {}, true],
    ['one that is not secure', { secure: false }, false],
    ['a browser that knows none', { known: false }, false],
    ['a frame with both delegated', { framed: true, allowed: both }, true],
    ['a frame that may only show them', { framed: true, allowed: both.slice(0, 1) }, false],
    ['a frame that may only make them', { framed: true, allowed: both.slice(1) }, false],
    ['a frame with nothing delegated', { framed: true, allowed: [] }, false],
    ['a frame in a browser that does not tell', { framed: true }, false],
  ])('%s', (_, place, can) => {
    expect(canUsePasskeys(placeOf(place))).toBe(can)
  })
})
