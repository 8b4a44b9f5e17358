import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import type { Site } from './acted/scenario.ts'
import { captureUrl } from './shop.ts'

export interface HostPage {
  /** The frame's bounding box, once the check is inside. */
  frame(): Promise<{ x: number; y: number; width: number; height: number }>
  stop(): void
}

/**
 * Opens a page on another origin that may embed the check. Its body is created from the link and the host's address. The page has
 * headers created for that address, and its server serves `/page.js`, which shows the check in `#check`.
 */
export async function openHostPage(
  site: Site,
  page: Page,
  body: (link: string, address: string) => string,
  headersFor: (address: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<HostPage> {
  const { address, apiKey } = site.product
  const server: Server = createServer(async (request, response) => {
    if (request.url === '/page.js') {
      const script = scriptFor(await captureUrl(site), address)
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      return
    }
    const shown = body(await captureUrl(site), address)
    response
      .writeHead(200, { 'content-type': 'text/html', ...headersFor(address) })
      .end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><body>${shown}`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins: [origin] } })
  await page.goto(origin)
  return {
    async frame() {
      await page.frameLocator('iframe').getByRole('button', { name: 'I don’t agree' }).waitFor()
      return (await page.locator('iframe').boundingBox())!
    },
    stop: () => void server.close(),
  }
}

/** The script for a page that shows the check in its `#check` element. */
const scriptFor = (link: string, address: string) => `import { openVerification } from '${address}/embed.js'
openVerification({ place: 'frame', container: document.querySelector('#check'), link: '${link}' }).catch(() => {})`

/** The same script as a page element. */
export const shownInCheck = (link: string, address: string) =>
  `<script type="module">${scriptFor(link, address)}</script>`
