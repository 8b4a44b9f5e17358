import { setTimeout as pause } from 'node:timers/promises'
import type { Route } from '@playwright/test'
import { type Moment, momentary, type Surrounding } from './surrounding.ts'

/** A visit's calls, in order. */
export const calls = [
  'read-link',
  'init-redirect-session',
  'submit-pictures',
  'submit-step',
  'submit-session',
] as const
export type Call = (typeof calls)[number] | 'get-session'

/** Interferes with a request. `left` is the number of milliseconds until the network is back to normal. */
type Fate = (route: Route, left: number) => Promise<void>

/** Longer than any page waits for an answer. */
const neverMilliseconds = 300_000

export const fates = {
  'is lost': (route) => route.abort('connectionreset'),
  'is swallowed': async (route) => {
    await pause(neverMilliseconds, undefined, { ref: false })
    await route.abort('connectionreset')
  },
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

/** Applies this interference to a call's requests, from the `first` one on and until some seconds after it. */
export function request(call: Call, fate: FateName, seconds = 5, first = 1): Surrounding {
  const which = first === 1 ? '' : ` number ${first} on`
  return interfered(`${call}${which} ${fate}`, `**/v1/verification/${call}`, { fate, seconds, first })
}

/** Applies this interference to files of the page. */
export function files(name: string, address: string, fate: FateName, seconds = 5): Surrounding {
  return interfered(`${name} ${fate}`, address, { fate, seconds, first: 1 })
}

interface Interference {
  readonly fate: FateName
  readonly seconds: number
  readonly first: number
}

function interfered(name: string, address: string, { fate, seconds, first }: Interference): Surrounding {
  return {
    name: `${name} for ${seconds} s`,
    kind: 'network',
    async surround(context) {
      let until: number | undefined
      let requests = 0
      await context.route(address, async (route) => {
        if (++requests < first) return route.fallback()
        until ??= Date.now() + seconds * 1000
        const left = until - Date.now()
        await (left <= 0 ? route.fallback() : fates[fate](route, left)).catch(() => undefined) // the page gave up on it
      })
    },
  }
}

/** How fast a network is. Directions that are left out have no limit. */
interface Speed {
  /** In bytes per second. */
  readonly up?: number
  /** In bytes per second. */
  readonly down?: number
  /** In milliseconds. */
  readonly latency?: number
}

/** Limits the network, by default once the camera is on. */
export function slow(
  name: string,
  { up = -1, down = -1, latency = 0 }: Speed,
  moment: Moment = 'align',
): Surrounding {
  return momentary('network', name, moment, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: down,
      uploadThroughput: up,
    })
  })
}

/** Limits the upload rate, as at the edge of a cell. */
export function slowUplink(bytesPerSecond: number, moment?: Moment): Surrounding {
  const speed = { up: bytesPerSecond, down: 125_000, latency: 150 }
  return slow(`an uplink of ${bytesPerSecond} bytes a second`, speed, moment)
}

/** Takes the network down for a few seconds while the camera is running. */
export function gap(afterSeconds: number, seconds: number): Surrounding {
  const name = `no network for ${seconds} s, ${afterSeconds.toFixed(1)} s`
  return momentary('network', name, 'align', async (page) => {
    await page.waitForTimeout(afterSeconds * 1000)
    await page.context().setOffline(true)
    await pause(seconds * 1000)
    await page.context().setOffline(false)
  })
}
