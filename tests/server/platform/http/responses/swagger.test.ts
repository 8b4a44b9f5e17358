import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describe as describeApi } from '#server/platform/http/description/description.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { launchBrowser } from '../../../../../e2e/support/browser.ts'
import { type Host, startHost } from '../../../../support/host.ts'

const csp = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

describe('GET /openapi.json', () => {
  test('describes what is mounted, to everyone', async () => {
    const answer = await host.fetch('/openapi.json')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const expected = describeApi(Object.keys(hosts) as Role[])
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(expected)))
  })
})

test('a host of one role describes only that role, on a separate page', async () => {
  const liveness = await startHost({ roles: ['liveness'] })
  const { paths } = (await (await liveness.fetch('/openapi.json')).json()) as { paths: object }
  expect(Object.keys(paths)).toContain('/v1/liveness-detection/detect')
  expect(Object.keys(paths)).not.toContain('/v1/signature/create')
  const page = await (await liveness.fetch('/swagger')).text()
  expect(page).toContain('Start here')
  expect(page).not.toContain('/v1/signature/create')
  await liveness.close()
})

describe('GET /swagger', () => {
  test.each(['/swagger', '/swagger/'])('answers a page at %s', async (path) => {
    const answer = await host.fetch(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toBe(csp)
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('tells a newcomer what to do first, with calls that this host answers', async () => {
    const page = await (await host.fetch('/swagger')).text()
    const named = [...page.matchAll(/<code>([^<]+)<\/code>/g)].map(([, path]) => path!)
    const { paths } = describeApi(Object.keys(hosts) as Role[])
    expect(named.length).toBeGreaterThan(2)
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(named))
    expect(page.indexOf('Start here')).toBeLessThan(page.indexOf('id="swagger-ui"'))
  })

  test('refers to this host only, and to nothing inline', async () => {
    const page = await (await host.fetch('/swagger')).text()
    const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
    expect(addresses.length).toBeGreaterThan(3)
    for (const address of addresses) {
      expect(address).toMatch(/^\/(?!\/)/)
      expect((await host.fetch(address)).status).toBe(200)
    }
    expect(page).not.toMatch(/<script>|<style|style=|onload=|https?:/)
  })

  test('serves its parts in both forms, and nothing else of the package', async () => {
    const plain = await host.fetch('/swagger/swagger-ui.css', { headers: { 'accept-encoding': 'identity' } })
    const packed = await host.fetch('/swagger/swagger-ui.css', { headers: { 'accept-encoding': 'gzip' } })
    expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip'])
    expect(await packed.text()).toBe(await plain.text())
    for (const path of ['/swagger/package.json', '/swagger/swagger-ui.js', '/swagger/..%2fpackage.json']) {
      expect((await host.fetch(path)).status).toBe(404)
    }
  })
})

describe('the page in a browser', () => {
  let browser: Browser
  let page: Page
  const complaints: string[] = []
  const asked: string[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('request', (request) => asked.push(new URL(request.url()).origin))
    await page.goto(`${host.origin}/swagger/`)
    await page.getByRole('heading', { name: 'Selfsame' }).waitFor()
  })
  afterAll(() => browser?.close())

  test('shows every mounted endpoint', async () => {
    const { paths } = describeApi(Object.keys(hosts) as Role[])
    const operations = Object.values(paths).flatMap(Object.values)
    const blocks = page.locator('.opblock-tag-section .opblock')
    await expect.poll(() => blocks.count(), { timeout: 20_000 }).toBe(operations.length)
  })

  test('calls an endpoint by itself, with a key that was entered once', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const scheme = page.locator('.auth-container', { hasText: 'ApiKey' }).first()
    await scheme.locator('input').fill(host.apiKey)
    await scheme.getByRole('button', { name: 'Apply credentials' }).click()
    await page.locator('.close-modal').click()
    const block = page.locator('#operations-Configuration_service-createSignature')
    await block.locator('.opblock-summary-control').click()
    await block.getByRole('button', { name: 'Try it out' }).click()
    await block.getByRole('button', { name: 'Execute' }).click()
    const answer = block.locator('.live-responses-table .response').first()
    await answer.waitFor()
    expect(await answer.textContent()).toContain('signedQueryString')
  })

  test("follows its reader's colour scheme at once", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(ground).toBe('rgb(28, 32, 34)')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(ground).not.toBe('rgb(28, 32, 34)')
  })

  test('breaks no rule of its policy, and contacts no other host', () => {
    expect(complaints).toEqual([])
    expect(new Set(asked)).toEqual(new Set([host.origin]))
  })
})
