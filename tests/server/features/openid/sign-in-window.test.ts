import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listStaticFiles } from '#server/platform/http/responses/static-files.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import type { Host } from '../../../support/host.ts'
import { formOf, openBrowser } from '../../../support/openid/browser.ts'
import { actVisit, configure, newClient, newRequest, startProvider } from '../../../support/openid/site.ts'
import { openSession } from '../../../support/visit.ts'

const framing = 'https://frames.example'
const person = { person: 'a', age: 34 }

let host: Host
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-window-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  const headers = { embedOrigins: [framing], demo: true, https: false }
  host = await startProvider({ site: { headers, files: await listStaticFiles(folder) } })
  await host.call(updateAccount, { body: { embedOrigins: [framing] } })
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true })
})

async function begun(parameters: Record<string, string> = {}) {
  const made = await newClient(host)
  const { asked } = await newRequest(parameters)
  return client.buildAuthorizationUrl(await configure(made), asked).href
}

const policyOf = ({ headers }: Response) => headers.get('Content-Security-Policy')
const openerOf = ({ headers }: Response) => headers.get('Cross-Origin-Opener-Policy')

describe('the page of a sign-in', () => {
  test('is never framed, whatever its account and the deployment allow', async () => {
    const browser = openBrowser()
    const { address } = await browser.follow(await begun(), host.origin)
    const { pathname, hash } = new URL(address)
    for (const destination of ['iframe', 'document', '']) {
      const page = await host.fetch(pathname, { headers: { 'Sec-Fetch-Dest': destination } })
      expect(policyOf(page)).toContain("frame-ancestors 'none'")
    }
    const { capturePlan } = await host.call(getSession, { bearer: hash.slice(1) })
    expect(capturePlan.embedOrigins).toEqual([])
    const { verificationId } = await newClient(host)
    const framed = await openSession(host, verificationId)
    const its = await host.fetch(`/verification/session/${framed.verificationSessionId}`)
    expect(policyOf(its)).toContain(framing)
  })
})

describe('a popup', () => {
  test('keeps the window that opened it over every answer of a sign-in', async () => {
    const browser = openBrowser()
    const answers: Response[] = []
    const get = async (address: string) => {
      const answer = await browser.fetch(address)
      answers.push(answer)
      return new URL(answer.headers.get('Location') ?? address, address).href
    }
    const page = await get(await get(await begun({ response_mode: 'form_post' })))
    await get(page)
    const back = await actVisit(host, page, person)
    await get(await get(back))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 200, 303, 200])
    expect(answers.map(openerOf)).toEqual(answers.map(() => 'unsafe-none'))
    expect(policyOf(answers.at(-1)!)).toContain('form-action http://127.0.0.1:9')
  })

  test.each(['/openid/auth?client_id=x', '/openid/visit/x', '/openid/visit/x/done', '/openid/auth/x'])(
    'shows on its own page what went wrong at %s',
    async (path) => {
      const answer = await host.fetch(path, { headers: { Accept: 'text/html' } })
      expect(answer.status).toBe(400)
      expect(openerOf(answer)).toBe('unsafe-none')
      expect(policyOf(answer)).toContain("frame-ancestors 'none'")
    },
  )
})

describe('an answer by form_post', () => {
  test('is a page that runs its one script and posts only to the origin of the site', async () => {
    const answer = await openBrowser().fetch(await begun({ response_mode: 'form_post', prompt: 'none' }))
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    expect(answer.headers.get('Referrer-Policy')).toBe('strict-origin')
    expect(policyOf(answer)?.split('; ')).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "frame-ancestors 'none'",
      expect.stringMatching(/^script-src 'sha256-[\w+/]{43}='$/),
      'form-action http://127.0.0.1:9',
    ])
    const page = await answer.text()
    expect(page).toContain('<button type="submit">Continue</button>')
    expect(page).not.toMatch(/ on[a-z]+=/)
  })

  test('goes to any address of plain http if no policy can name the host', async () => {
    const redirect_uri = 'http://[::1]:53111/cb'
    const made = await newClient(host, undefined, { isPublic: true, redirectUris: ['http://[::1]/cb'] })
    const { asked } = await newRequest({ redirect_uri, response_mode: 'form_post', prompt: 'none' })
    const answer = await openBrowser().fetch(client.buildAuthorizationUrl(await configure(made), asked).href)
    expect(policyOf(answer)?.split('; ').at(-1)).toBe('form-action http:')
    expect(formOf(await answer.text()).action).toBe(redirect_uri)
  })

  test('escapes what the site sent', async () => {
    const state = `"><script>alert('1')</script>&amp;`
    const answer = await openBrowser().fetch(
      await begun({ response_mode: 'form_post', prompt: 'none', state }),
    )
    const page = await answer.text()
    expect(page).not.toContain('<script>alert')
    expect(formOf(page).fields.state).toBe(state)
  })
})

describe('an error page', () => {
  test('shows error_description in the language of the list, and one line of the log has it', async () => {
    const made = await newClient(host)
    host.records.length = 0
    const address = `/openid/auth?client_id=${made.clientId}&ui_locales=gsw+de+en&response_type=code&scope=openid&redirect_uri=https://evil.example/`
    const page = await (await host.fetch(address, { headers: { 'Accept-Language': 'fr' } })).text()
    expect(page).toContain('<html lang="de"')
    const description = "redirect_uri did not match any of the client's registered redirect_uris"
    expect(page).toContain(description.replace("'", '&#39;'))
    await expect.poll(() => host.records).not.toEqual([])
    const lines = host.records.filter((record) => record.description !== undefined)
    expect(lines).toMatchObject([
      { code: 'invalid_redirect_uri', description, route: '/openid/auth', status: 400 },
    ])
  })

  test('is the only one whose description is logged: others may repeat the request', async () => {
    const { clientId } = await newClient(host, undefined, { isPublic: true })
    host.records.length = 0
    const headers = { Origin: 'https://evil.example' }
    const body = new URLSearchParams({ client_id: clientId, grant_type: 'authorization_code', code: 'x' })
    const refused = await host.fetch('/openid/token', { method: 'POST', headers, body })
    expect(await refused.text()).toContain('evil.example')
    await expect.poll(() => host.records).not.toEqual([])
    expect(host.records).toMatchObject([{ code: 'invalid_request', route: '/openid/token' }])
    expect(JSON.stringify(host.records)).not.toContain('evil')
  })

  test.each([
    ['/openid/auth?client_id=x', 'de_DE, fr', 'de'],
    ['/openid/auth?client_id=x&ui_locales=nb-NO+de', 'fr', 'de'],
    ['/openid/visit/x', 'nb-NO,de_AT;q=0.5', 'de'],
    ['/openid/auth/x', 'tlh', 'en'],
  ])('at %s for a browser of %s is in %s', async (path, accepted, language) => {
    const page = await host.fetch(path, { headers: { Accept: 'text/html', 'Accept-Language': accepted } })
    expect(await page.text()).toContain(`<html lang="${language}"`)
  })

  test('and the check agree on the language', async () => {
    const localeOf = async (ui_locales: string) => {
      const { address } = await openBrowser().follow(await begun({ ui_locales }), host.origin)
      const bearer = new URL(address).hash.slice(1)
      return (await host.call(getSession, { bearer })).capturePlan.locale
    }
    expect(await localeOf('gsw de en')).toBe('de')
    expect(await localeOf('nb-NO de')).toBe('de')
    expect(await localeOf('de_DE')).toBe('de_DE')
    expect(await localeOf('tlh')).toBeNull()
  })
})
