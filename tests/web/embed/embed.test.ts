import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEmbedForPages } from '../../../build/client.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'selfsame-embed-'))
  await buildEmbedForPages(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the embedding scripts are under 4 kB', () => {
  for (const name of ['embed.js', 'element.js'])
    expect(statSync(join(folder, name)).size, name).toBeLessThan(4000)
})

/**
 * Does what React's strict mode does: one check is removed, and the next one starts in the same turn. Returns the state of
 * the container and the focus at that point and at the end.
 */
const beginTwice = `(async () => {
  const { openVerification } = await import('/embed.js')
  const [button, container] = [document.querySelector('button'), document.querySelector('div')]
  const begin = () => {
    const stop = new AbortController()
    const options = { place: 'frame', container, link: 'https://check.example/verification/v', signal: stop.signal }
    openVerification(options).catch(() => {})
    return stop
  }
  const later = () => new Promise((resolve) => setTimeout(resolve))
  button.focus()
  const first = begin()
  const room = container.style.minHeight
  first.abort()
  const second = begin()
  await later()
  const frames = [...document.querySelectorAll('iframe')]
  const between = {
    frames: frames.length,
    isFocused: document.activeElement === frames[0],
    hasRoom: room !== '' && container.style.minHeight === room,
  }
  second.abort()
  await later()
  const atTheEnd = { minHeight: container.style.minHeight, isFocused: document.activeElement === button }
  return { between, atTheEnd }
})()`

test('a check that is removed makes room for the next one at once, and restores the page', async () => {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  const blank = '<!doctype html><title>a site</title><button>Check me</button><div style="height:80px"></div>'
  const serve = (address: string, contentType: string, body: string) =>
    page.route(address, (route) => route.fulfill({ contentType, body }))
  await serve('https://site.example/', 'text/html', blank)
  await serve('https://check.example/**', 'text/html', blank)
  await serve(
    'https://site.example/embed.js',
    'text/javascript',
    readFileSync(join(folder, 'embed.js'), 'utf8'),
  )
  await page.goto('https://site.example/')
  expect(await page.evaluate(beginTwice)).toEqual({
    between: { frames: 1, isFocused: true, hasRoom: true },
    atTheEnd: { minHeight: '', isFocused: true },
  })
  await browser.close()
})
