import { readFileSync } from 'node:fs'
import { expect, test } from '../support/fixture.ts'
import { openHostPage } from '../support/host-page.ts'

/** The strict headers that docs/integrate.md recommends, for a server's address. */
function headersFor(address: string): Record<string, string> {
  const [, lines = ''] = /^```http\n(.*?)^```$/ms.exec(readFileSync('docs/integrate.md', 'utf8'))!
  const headers = lines.trim().split('\n')
  return Object.fromEntries(
    headers.map((line) =>
      line
        .replaceAll('https://check.example', address)
        .split(/: (.*)/)
        .slice(0, 2),
    ),
  )
}

const body = () => '<div id="check"></div><script type="module" src="/page.js"></script>'

/** True if the browser would let the check's frame open the camera. */
async function mayUseCamera(page: import('@playwright/test').Page): Promise<boolean> {
  const frame = (await (await page.locator('iframe').elementHandle())!.contentFrame())!
  return frame.evaluate(() =>
    (
      document as unknown as { featurePolicy: { allowsFeature(name: string): boolean } }
    ).featurePolicy.allowsFeature('camera'),
  )
}

test('a page with the policies of the documentation shows the check, with its camera', async ({
  site,
  page,
}) => {
  const refused: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && refused.push(message.text())))
  const host = await openHostPage(site, page, body, headersFor)
  expect((await host.frame()).height).toBeGreaterThanOrEqual(560)
  expect(await mayUseCamera(page)).toBe(true)
  expect(refused).toEqual([])
  host.stop()
})

test('without the address in its policies a page shows no check, or one without a camera', async ({
  site,
  page,
}) => {
  const withoutCamera = (address: string) => ({
    ...headersFor(address),
    'Permissions-Policy': 'camera=(self)',
  })
  const host = await openHostPage(site, page, body, withoutCamera)
  await host.frame()
  expect(await mayUseCamera(page)).toBe(false)
  host.stop()
  const refused: string[] = []
  page.on('console', (message) => void refused.push(message.text()))
  const withoutFrame = (address: string) => {
    const headers = headersFor(address)
    return {
      ...headers,
      'Content-Security-Policy': headers['Content-Security-Policy']!.replace(/frame-src [^;]+; /, ''),
    }
  }
  const other = await openHostPage(site, page, body, withoutFrame)
  await expect.poll(() => refused.join('\n')).toMatch(/frame-src|default-src/)
  other.stop()
})
