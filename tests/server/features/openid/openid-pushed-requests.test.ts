import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Host } from '../../../support/host.ts'
import { type Browser, openBrowser } from '../../../support/openid/browser.ts'
import {
  actVisit,
  configure,
  type NewClient,
  newClient,
  newRequest,
  startProvider,
} from '../../../support/openid/site.ts'

const person = { person: 'a', age: 34 }

let host: Host
let made: NewClient
beforeAll(async () => {
  host = await startProvider()
  made = await newClient(host)
})
afterAll(() => host.close())

let way: string
let redeem: (address: string) => Promise<unknown>
beforeEach(async () => {
  const config = await configure(made)
  const { asked, checks } = await newRequest()
  way = (await client.buildAuthorizationUrlWithPAR(config, asked)).href
  redeem = async (address) => (await client.authorizationCodeGrant(config, new URL(address), checks)).claims()
})

const come = (browser: Browser, address = way) => browser.follow(address, host.origin)
const sessionOf = (address: string) => new URL(address).pathname

async function expectOver(response: Response): Promise<void> {
  expect(response.status).toBe(400)
  const page = await response.text()
  expect(page).toContain('This sign-in has expired')
}

describe('a pushed request', () => {
  test('starts one visit: a second browser gets a page, and the first one continues', async () => {
    const [first, second] = [openBrowser(), openBrowser()]
    const { address } = await come(first)
    expect(address).toContain('/verification/session/')
    await expectOver((await come(second)).response)
    const back = await come(first, await actVisit(host, address, person))
    expect(await redeem(back.address)).toMatchObject({ verified: true })
  })

  test('leads the browser that started its visit back to it, also after a minute and by a form', async () => {
    const browser = openBrowser()
    const { address } = await come(browser)
    expect(sessionOf((await come(browser)).address)).toBe(sessionOf(address))
    const { searchParams } = new URL(way)
    const posted = await browser.fetch(`${host.origin}/openid/auth`, { method: 'POST', body: searchParams })
    const onward = new URL(posted.headers.get('Location')!, host.origin).href
    expect(sessionOf((await come(browser, onward)).address)).toBe(sessionOf(address))
  })

  test('is used up by the first of two browsers that arrive at once', async () => {
    const browsers = [openBrowser(), openBrowser(), openBrowser()]
    const begun = await Promise.all(
      browsers.map(async (browser) => {
        const { headers } = await browser.fetch(way)
        return { browser, visit: new URL(headers.get('Location')!, host.origin).href }
      }),
    )
    const answers = await Promise.all(begun.map(({ browser, visit }) => come(browser, visit)))
    const pages = answers.filter(({ address }) => address.includes('/verification/session/'))
    expect(pages).toHaveLength(1)
    for (const { address, response } of answers)
      if (!address.includes('/verification/session/')) await expectOver(response)
  })

  test('is not used up by a request that only loads its address', async () => {
    for (let i = 0; i < 3; i++) expect((await openBrowser().fetch(way)).status).toBe(303)
    expect((await come(openBrowser())).address).toContain('/verification/session/')
  })

  test('continues if its browser starts the sign-in again', async () => {
    const browser = openBrowser()
    const { address } = await come(browser)
    const [{ path = '' } = {}] = [...browser.cookies.values()].filter(({ path: at }) => at.includes('/auth/'))
    const again = await come(browser, host.origin + path)
    expect(again.address).toContain('/verification/session/')
    expect(sessionOf(again.address)).not.toBe(sessionOf(address))
    const back = await come(browser, await actVisit(host, again.address, person))
    expect(await redeem(back.address)).toMatchObject({ verified: true })
  })

  test('leads nowhere once its sign-in is over', async () => {
    const browser = openBrowser()
    const { address } = await come(browser)
    const back = await come(browser, await actVisit(host, address, person))
    expect(back.address).toContain('code=')
    for (const one of [browser, openBrowser()]) await expectOver((await come(one)).response)
    expect(host.errors).toEqual([])
  })
})
