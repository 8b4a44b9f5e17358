import { setTimeout as pause } from 'node:timers/promises'
import type { Route } from '@playwright/test'
import type { Surrounding } from './surrounding.ts'

/** A visit's calls, in order. */
export const calls = ['read-link', 'init-redirect-session', 'submit-step', 'submit-session'] as const
export type Call = (typeof calls)[number]

/** Interferes with a request. `left` is the number of milliseconds until the network is back to normal. */
type Fate = (route: Route, left: number) => Promise<void>

export const fates = {
  'is lost': (route) => route.abort('connectionreset'),
  'meets a busy server': (route) => route.fulfill({ status: 503, body: 'busy' }),
  'is answered by a sign-in page': (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><p>Sign in' }),
  'is refused by a proxy': (route) =>
    route.fulfill({ status: 403, contentType: 'text/html', body: '<!doctype html><p>Blocked' }),
  'arrives late': async (route, left) => {
    await pause(left)
    await route.continue()
  },
  'has its answer held back': async (route, left) => {
    const response = await route.fetch()
    await pause(left)
    await route.fulfill({ response })
  },
  'has its answer lost': async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  },
  'is sent twice': async (route) => {
    const [, response] = await Promise.all([route.fetch(), route.fetch()])
    await route.fulfill({ response })
  },
} as const satisfies Record<string, Fate>
export type FateName = keyof typeof fates

/** Applies this interference to a call's requests, until some seconds after the first one. */
export function request(call: Call, fate: FateName, seconds = 5): Surrounding {
  return {
    name: `${call} ${fate} for ${seconds} s`,
    async surround(context) {
      let until: number | undefined
      await context.route(`**/v1/verification/${call}`, async (route) => {
        until ??= Date.now() + seconds * 1000
        const left = until - Date.now()
        await (left <= 0 ? route.fallback() : fates[fate](route, left)).catch(() => undefined) // the page gave up on it
      })
    },
  }
}

/** Limits the upload rate from the moment the page requests the camera. */
export function slowUplink(bytesPerSecond: number): Surrounding {
  return {
    name: `an uplink of ${bytesPerSecond} bytes a second`,
    async happen(page) {
      await page
        .locator('[data-state="asking"], [data-state="starting"], [data-state="align"]')
        .first()
        .waitFor()
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: 125_000,
        uploadThroughput: bytesPerSecond,
      })
    },
  }
}

/** Takes the network down for a few seconds while the camera is running. */
export function gap(afterSeconds: number, seconds: number): Surrounding {
  return {
    name: `no network for ${seconds} s`,
    async happen(page) {
      await page.locator('[data-state="align"], [data-state="hold"], [data-state="action"]').first().waitFor()
      await page.waitForTimeout(afterSeconds * 1000)
      await page.context().setOffline(true)
      await pause(seconds * 1000)
      await page.context().setOffline(false)
    },
  }
}
