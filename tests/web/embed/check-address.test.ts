import { describe, expect, it, test, vi } from 'vitest'
import { webAddress } from '#web/embed/check-address.ts'
import { openVerification } from '#web/embed/embed.ts'

const page = 'https://shop.example/checkout'

/** Addresses that a page must never show or open. */
const refused = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://shop.example/5',
  'vbscript:x',
  'file:///etc/passwd',
  'about:blank',
  'ftp://check.example/',
  'http://check.example/verification/x',
  'http://127.evil.example/',
  'https://user@check.example/',
  'https://user:word@check.example/',
  'https://',
  '//',
]

describe('an address at which a page shows the check', () => {
  test.each(refused)('is not %j', (text) => {
    expect(webAddress(text, page)).toBeUndefined()
  })

  test.each([
    ['https://check.example/verification/x?a=b#c', 'https://check.example/verification/x?a=b#c'],
    ['/verification/x', 'https://shop.example/verification/x'],
    ['http://localhost:8080/verification/x', 'http://localhost:8080/verification/x'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ])('may be %s', (text, address) => {
    expect(webAddress(text, page)?.href).toBe(address)
  })
})

describe('openVerification', () => {
  /** A page that records every address that it is asked to open. */
  function stubPage() {
    const led: string[] = []
    const frame = { style: {}, remove: () => undefined, focus: () => undefined, contentWindow: null }
    Object.defineProperty(frame, 'src', { set: (address: string) => led.push(address) })
    vi.stubGlobal('location', { href: page, assign: (address: URL) => led.push(String(address)) })
    vi.stubGlobal('document', { activeElement: null, createElement: () => frame })
    vi.stubGlobal('open', (address: string) => {
      led.push(address)
      return null
    })
    vi.stubGlobal('addEventListener', () => undefined)
    vi.stubGlobal('HTMLElement', class {})
    return led
  }

  const container = { append: () => undefined } as unknown as HTMLElement

  it.each(refused)('leads no one to %j, wherever it is shown', async (link) => {
    const led = stubPage()
    for (const place of [{ place: 'page' }, { place: 'popup' }, { place: 'frame', container }] as const)
      await expect(openVerification({ ...place, link })).rejects.toMatchObject({ code: 'link' })
    expect(led).toEqual([])
    vi.unstubAllGlobals()
  })

  it('shows the check of the given origin, and no other', async () => {
    const led = stubPage()
    const asked = { place: 'popup', origin: 'https://check.example' } as const
    for (const link of ['https://evil.example/verification/x', '/verification/x', 'http://localhost/'])
      await expect(openVerification({ ...asked, link })).rejects.toMatchObject({ code: 'link' })
    await expect(
      openVerification({ ...asked, origin: 'javascript:x', link: 'https://check.example/' }),
    ).rejects.toMatchObject({ code: 'link' })
    expect(led).toEqual([])
    const shown = openVerification({ ...asked, link: 'https://check.example/verification/x' })
    await expect(shown).rejects.toMatchObject({ code: 'blocked' })
    expect(led).toEqual(['https://check.example/popup/x'])
    vi.unstubAllGlobals()
  })

  it('ignores an outcome that leads to a script, and keeps waiting', async () => {
    stubPage()
    let listen: (event: object) => void = () => undefined
    vi.stubGlobal('addEventListener', (_name: string, listener: typeof listen) => {
      listen = listener
    })
    const source = {}
    const outcomes: unknown[] = []
    const popup = { closed: false, close: () => undefined }
    vi.stubGlobal('open', () => popup)
    const opened = openVerification({ place: 'popup', link: 'https://check.example/verification/x' })
    void opened.then((outcome) => outcomes.push(outcome))
    const tell = (redirectedTo: unknown) =>
      listen({ data: { redirectedTo }, origin: 'https://check.example', source: popup })
    for (const bad of [...refused.filter((one) => one !== '//'), 5, null, '', 'passed']) tell(bad)
    listen({ data: { redirectedTo: 'https://shop.example/' }, origin: 'https://check.example', source })
    await new Promise((later) => setTimeout(later))
    expect(outcomes).toEqual([])
    tell('https://shop.example/passed?reVerificationResult=passed')
    expect(await opened).toEqual({
      redirectedTo: 'https://shop.example/passed?reVerificationResult=passed',
      parameters: { reVerificationResult: 'passed' },
    })
    vi.unstubAllGlobals()
  })
})
