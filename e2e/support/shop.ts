import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import type { Site } from './acted/scenario.ts'

/** A shop page's record of its call. */
export interface Shop {
  readonly outcome: unknown
  readonly problem: string
  abort(): void
}

/** A shop on another origin. Its page includes the product's script and has a button that opens a check. */
export async function openShop(site: Site, place: string): Promise<{ server: Server; origin: string }> {
  const server = createServer(async (_request, response) => {
    const link = await captureUrl(site)
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en">
      <button>Check me</button><div style="width:390px;height:800px"></div>
      <script type="module">
        import { openVerification } from '${site.product.address}/embed.js'
        const stop = new AbortController()
        globalThis.abort = () => stop.abort(new Error('stopped'))
        document.querySelector('button').onclick = () => {
          openVerification({ ${place}, link: '${link}', title: 'Your check', signal: stop.signal })
            .then((outcome) => { globalThis.outcome = outcome }, (error) => { globalThis.problem = error.code ?? error.message })
        }
      </script></html>`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { address, apiKey } = site.product
  await call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins: [origin] } })
  return { server, origin }
}

export async function captureUrl(site: Site): Promise<string> {
  const { address, apiKey } = site.product
  const verifierConfigs = { liveness: { type: 'Verification' as const } }
  const back = (result: string) => `${site.receiver.address}/${result}?order=7`
  const body = { verifierConfigs, passedUrl: back('passed'), failedUrl: back('failed') }
  const made = await call(fetch, address, createSession, { credential: { apiKey }, body })
  return made.captureUrl
}

export async function decline(page: Page | FrameLocator): Promise<void> {
  await page.getByRole('button', { name: 'I don’t agree' }).click()
  await page.getByRole('button', { name: /^Back to/ }).click()
}

export const kept = (page: Page, name: keyof Shop) =>
  page.evaluate((key) => (globalThis as unknown as Record<string, unknown>)[key], name)

export const inFrame = `place: 'frame', container: document.querySelector('div')`
