import { describe, expect, test } from 'vitest'
import { isRedirectAllowed } from '#server/features/openid/clients/loopback.ts'
import { redirectFault } from '#server/features/openid/clients/redirect-rules.ts'

describe('permitted redirect addresses', () => {
  test.each([
    'https://shop.example/callback',
    'https://shop.example',
    'https://shop.example?a=b%20c',
    'https://Shop.EXAMPLE/Callback',
    'https://shop.example:443/callback',
    'http://localhost:80/',
    'http://127.0.0.1:3000/a%7Eb?x=~&codes=1&xstate=2',
    'http://[::1]/cb',
    'https://xn--mller-kva.example/',
  ])('%s', (address) => {
    expect(redirectFault(address)).toBeUndefined()
  })

  test.each([
    ['https://müller.example/', 'ASCII'],
    ['https://shop.example/ä', 'ASCII'],
    ['https://shop.example/a b', 'ASCII'],
    ['https://shop.example/?code=1', '`code`'],
    ['https://shop.example/?a=1&st%61te=2', '`state`'],
    ['https://shop.example/?iss', '`iss`'],
    ['https://shop.example/?error=', '`error`'],
    ['https://shop.example/a/../b', 'https://shop.example/b'],
    ['https://shop.example/a/%2e%2E/b', 'https://shop.example/b'],
    ['HTTPS://shop.example/b', 'https://shop.example/b'],
    ['https://shop.example:0443/', 'https://shop.example/'],
    ['https://shop.example:/', 'https://shop.example/'],
    ['https://shop.example:80/', undefined],
    ['http://127.1/cb', 'http://127.0.0.1/cb'],
    ['http://[0:0::1]/cb', 'http://[::1]/cb'],
    ['https://shop.example/"', 'https://shop.example/%22'],
    ["https://shop.example/?a='", 'https://shop.example/?a=%27'],
    ['https://shop%2eexample/', 'https://shop.example/'],
  ])('but %s is refused, with the remedy', (address, remedy) => {
    if (remedy === undefined) expect(redirectFault(address)).toBeUndefined()
    else expect(redirectFault(address)).toContain(remedy)
  })
})

describe('the port of a loopback address', () => {
  test.each([
    // The case that was reported, followed by related ones.
    ['http://127.0.0.1/cb', 'http://127.0.0.1:53111/cb', true],
    ['http://[::1]/cb', 'http://[::1]:53111/cb', true],
    ['http://127.0.0.1:8080/cb?a=1', 'http://127.0.0.1:1/cb?a=1', true],
    ['http://127.0.0.1:8080', 'http://127.0.0.1', true],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:53111/cb/', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:53111/cb?x=1', false],
    ['http://127.0.0.1/cb', 'http://[::1]:53111/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.2:53111/cb', false],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:53111/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:53111@evil.example/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1.evil.example:53111/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:531111/cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:99999/cb', false],
    ['http://localhost/cb', 'http://localhost:53111/cb', false],
  ])('of a public client with %s: %s is %s', (registered, address, isAllowed) => {
    expect(isRedirectAllowed([registered], true, address)).toBe(isAllowed)
    expect(isRedirectAllowed([registered], false, address)).toBe(false)
  })
})
