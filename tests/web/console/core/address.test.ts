import { describe, expect, test } from 'vitest'
import { readAddress, withQuery, writeAddress } from '#web/console/core/address.ts'

describe('addresses of the console', () => {
  test.each([
    ['/console', '', { page: 'overview', parts: [], query: {} }],
    ['/console/', '?range=today', { page: 'overview', parts: [], query: { range: 'today' } }],
    ['/console/sessions', '?state=Completed', { page: 'sessions', parts: [], query: { state: 'Completed' } }],
    ['/console/collections/a%2Fb', '', { page: 'collections', parts: ['a/b'], query: {} }],
    ['/console/collections/%zz', '', { page: 'collections', parts: ['%zz'], query: {} }],
    ['/console/nothing/of/ours', '', { page: 'unknown', parts: ['nothing', 'of', 'ours'], query: {} }],
    ['/console/kiosks/front-desk', '', { page: 'unknown', parts: ['kiosks', 'front-desk'], query: {} }],
    ['/console/sessions/1/face/2', '', { page: 'unknown', parts: ['sessions', '1', 'face', '2'], query: {} }],
    ['/console/developers/explore/index', '', { page: 'developers', parts: ['explore', 'index'], query: {} }],
  ] as const)('%s%s is read', (path, search, address) => {
    expect(readAddress(path, search)).toEqual(address)
  })

  test.each([
    { page: 'collections', parts: ['a/b?c#dé'], query: { externalId: 'a&b=c d' } },
    { page: 'unknown', parts: ['a/b?c#d', 'é'], query: {} },
  ] as const)('are parsed as they were written: $page', (address) => {
    const { pathname, search } = new URL(writeAddress(address), 'http://localhost')
    expect(readAddress(pathname, search)).toEqual(address)
  })

  test('omit empty values', () => {
    expect(writeAddress({ page: 'sessions', query: { state: '', source: 'api' } })).toBe(
      '/console/sessions?source=api',
    )
  })

  test('a query changes by name, and null removes a name', () => {
    const address = readAddress('/console/sessions', '?state=Completed&source=api')
    expect(withQuery(address, { state: null, externalId: 'user-42' }).query).toEqual({
      source: 'api',
      externalId: 'user-42',
    })
  })
})
