import { describe, expect, test } from 'vitest'
import { readAddress, withQuery, writeAddress } from '#web/console/core/address.ts'

describe('addresses of the console', () => {
  test.each([
    ['/console', '', { page: 'overview', parts: [], query: {} }],
    ['/console/', '?range=today', { page: 'overview', parts: [], query: { range: 'today' } }],
    ['/console/sessions', '?state=Completed', { page: 'sessions', parts: [], query: { state: 'Completed' } }],
    ['/console/collections/a%2Fb', '', { page: 'collections', parts: ['a/b'], query: {} }],
    ['/console/collections/%zz', '', { page: 'collections', parts: ['%zz'], query: {} }],
    ['/console/nothing/of/ours', '', { page: 'overview', parts: [], query: {} }],
  ] as const)('%s%s is read', (path, search, address) => {
    expect(readAddress(path, search)).toEqual(address)
  })

  test('are parsed as they were written', () => {
    const address = {
      page: 'collections',
      parts: ['a/b?c#d', 'é'],
      query: { externalId: 'a&b=c d' },
    } as const
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
