import { expect, test } from 'vitest'
import { createNavigation } from '#web/console/core/navigation.ts'

/** A window with an address that a script or a person can change. */
function windowAt(start: string) {
  let hear: () => void = () => undefined
  const location = { pathname: start, search: '' }
  const to = (address: string) => {
    const [pathname = '', search = ''] = address.split('?')
    Object.assign(location, { pathname, search: search && `?${search}` })
  }
  const change = (_: unknown, __: string, address: string) => to(address)
  const page = {
    location,
    history: { pushState: change, replaceState: change },
    addEventListener: (_: string, listener: () => void) => {
      hear = listener
    },
  }
  const back = (address: string) => {
    to(address)
    hear()
  }
  return { page: page as unknown as Window, location, back }
}

test('a view with unsaved input is only left after a confirmation', () => {
  const { page, location, back } = windowAt('/console/verifications/one')
  const navigation = createNavigation(page)
  let isLeft = false
  const release = navigation.hold(() => isLeft)
  navigation.go({ page: 'sessions' })
  back('/console/overview')
  expect([navigation.address.value.page, location.pathname]).toEqual([
    'verifications',
    '/console/verifications/one',
  ])
  isLeft = true
  back('/console/overview')
  expect(navigation.address.value.page).toBe('overview')
  isLeft = false
  release()
  navigation.go({ page: 'sessions' })
  expect(location.pathname).toBe('/console/sessions')
})

test('another query of the same view, and a forced change, need no confirmation', () => {
  const { page, location } = windowAt('/console/verifications/one')
  const navigation = createNavigation(page)
  navigation.hold(() => false)
  navigation.go({ page: 'verifications', parts: ['one'], query: { a: 'b' } })
  expect(location.search).toBe('?a=b')
  expect(navigation.mayLeave()).toBe(false)
  navigation.go({ page: 'sessions' }, { isForced: true })
  expect(location.pathname).toBe('/console/sessions')
})
