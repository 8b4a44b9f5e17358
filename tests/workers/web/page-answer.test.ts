import { describe, expect, test } from 'vitest'
import { answerPage, type PageSources } from '#workers/web/page-answer.ts'

const page = (text: string, status = 200) => new Response(text, { status })
const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'))

/** The answer to a navigation. By default, nothing was preloaded, there is no network, and the page is in the cache. */
async function shown(changed: Partial<PageSources>): Promise<string> {
  const answer = await answerPage({
    preloaded: Promise.resolve(undefined),
    fetch: noNetwork,
    kept: async () => page('kept'),
    ...changed,
  })
  return answer.type === 'error' ? 'nothing' : answer.text()
}

describe('a page that is navigated to', () => {
  test('comes from the server, preloaded if the browser does that', async () => {
    expect(await shown({ preloaded: Promise.resolve(page('early')) })).toBe('early')
    expect(await shown({ fetch: async () => page('asked') })).toBe('asked')
  })

  test.each([
    ['as Firefox answers: an error of status 0', async () => Response.error()],
    ['as Chromium and WebKit do: a rejection', noNetwork],
  ])('is the cached one if the preload failed, %s', async (_, preload) => {
    expect(await shown({ preloaded: preload() })).toBe('kept')
  })

  test('is the cached one if the server is down, or nothing is preloaded', async () => {
    expect(await shown({ fetch: async () => page('down', 503) })).toBe('kept')
    expect(await shown({})).toBe('kept')
  })

  test('passes on redirects, although their status is 0 as well', async () => {
    const redirect = { type: 'opaqueredirect', status: 0, text: async () => 'elsewhere' }
    expect(await shown({ fetch: async () => redirect as unknown as Response })).toBe('elsewhere')
  })

  test('is the server’s answer if nothing is cached, or an error without one', async () => {
    const kept = async () => undefined
    expect(await shown({ fetch: async () => page('down', 503), kept })).toBe('down')
    expect(await shown({ preloaded: Promise.resolve(Response.error()), kept })).toBe('nothing')
    expect(await shown({ kept })).toBe('nothing')
  })
})
