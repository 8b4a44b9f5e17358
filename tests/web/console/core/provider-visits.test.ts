import { describe, expect, test } from 'vitest'
import { createProviderVisits, takeReturned } from '#web/console/core/provider-visits.ts'

type Heard = ((event: MessageEvent) => void) | null

/** One browser's channels. A message on one of them reaches all the others that are open. */
function browser() {
  const open = new Set<{ onmessage: Heard }>()
  return (_name: string) => {
    const channel = {
      onmessage: null as Heard,
      postMessage: (data: unknown) => {
        for (const other of open) if (other !== channel) other.onmessage?.({ data } as MessageEvent)
      },
      close: () => open.delete(channel) as never,
    }
    open.add(channel)
    return channel
  }
}

describe('a visit to the provider', () => {
  test('waits for the window that brings the answer', async () => {
    const open = browser()
    const [page, other] = [createProviderVisits(open), createProviderVisits(open)]
    const returned = page.visit('https://login.example')
    expect(page.visiting.value?.url).toBe('https://login.example')
    other.bring('?code=1')
    expect(await returned).toBe('?code=1')
    expect(page.visiting.value).toBeNull()
  })

  test('ends if the person declines', async () => {
    const page = createProviderVisits(browser())
    const returned = page.visit('https://login.example')
    page.visiting.value!.cancel()
    await expect(returned).rejects.toThrow()
    expect(page.visiting.value).toBeNull()
  })
})

test.each([
  ['/console/openid', '?code=1&state=2', '?code=1&state=2', '/console'],
  ['/console/settings', '?code=1', undefined, undefined],
])('the answer at %s%s is %s', (pathname, search, expected, left) => {
  let replaced: unknown
  const history = { replaceState: (_data: unknown, _unused: string, url: string) => (replaced = url) }
  expect(takeReturned({ location: { pathname, search }, history } as never)).toBe(expected)
  expect(replaced).toBe(left)
})
