import type { Page } from '@playwright/test'
import type { Site } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { openHostPage, shownInCheck } from '../support/host-page.ts'
import { long, some } from '../support/length.ts'

/** Places for a check on a page, and its frame's minimum height on a 900-pixel desktop. The short form only tries the first few. */
const places: readonly (readonly [name: string, html: string, least: number])[] = [
  ['a container without a height', '<div id="check"></div>', 560],
  ['a container of 800 pixels', '<div id="check" style="height:800px"></div>', 800],
  ['a low container that hides', '<div id="check" style="height:300px;overflow:hidden"></div>', 560],
  [
    'a column next to others',
    '<div style="display:flex"><p>Text</p><div id="check" style="flex:1"></div></div>',
    560,
  ],
  [
    'a cell of a grid',
    '<div style="display:grid;grid-template-rows:auto 1fr"><p>Text</p><div id="check"></div></div>',
    560,
  ],
  [
    'a container as high as the page',
    '<style>*{margin:0}html,body{height:100%}</style><div id="check" style="height:100%"></div>',
    900,
  ],
  ['a container of 300 pixels', '<div id="check" style="height:300px;padding:8px"></div>', 560],
  ['a low container that scrolls', '<div id="check" style="height:300px;overflow:auto"></div>', 560],
  ['a row', '<div id="check" style="display:flex;align-items:center"></div>', 560],
  ['a column', '<div id="check" style="display:flex;flex-direction:column"></div>', 560],
  ['a low column', '<div id="check" style="display:flex;flex-direction:column;height:200px"></div>', 560],
  ['a grid', '<div id="check" style="display:grid;place-items:center"></div>', 560],
  ['a line of text', '<p>Text <span id="check"></span></p>', 560],
  ['a page from right to left', '<div dir="rtl"><div id="check"></div></div>', 560],
]

for (const [name, html, least] of some(places, 2))
  test(`a check in ${name} is usable`, async ({ site, page }) => {
    await page.setViewportSize({ width: 1280, height: 900 })
    const host = await openHostPage(
      site,
      page,
      (link, address) => `${html}<p id="after">What follows</p>${shownInCheck(link, address)}`,
    )
    const frame = await host.frame()
    expect(frame.height).toBeGreaterThanOrEqual(least)
    expect(frame.width).toBeGreaterThan(300)
    await expectNothingOver(page)
    await page.screenshot({ path: `screens/embed/${name.replaceAll(' ', '-')}.png`, fullPage: true })
    host.stop()
  })

/** Expects the content that follows to be below the check, and no horizontal scrolling. */
async function expectNothingOver(page: Page): Promise<void> {
  const [check, after] = [
    await page.locator('#check').boundingBox(),
    await page.locator('#after').boundingBox(),
  ]
  const frame = (await page.locator('iframe').boundingBox())!
  const isScrolled = await page.locator('#check').evaluate((it) => getComputedStyle(it).overflowY === 'auto')
  const bottom = isScrolled ? check!.y + check!.height : frame.y + frame.height
  expect(after!.y).toBeGreaterThanOrEqual(bottom - 1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)
}

const element = (link: string, address: string, attributes = '') =>
  `<script type="module" src="${address}/element.js"></script><selfsame-check ${attributes} link="${link}"></selfsame-check>`

test('an element has a default height and accepts a custom one', long, async ({ site, page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  for (const [style, height] of [
    ['', 560],
    ['style="height:700px"', 700],
  ] as const) {
    const host = await openHostPage(site, page, (link, address) => element(link, address, style))
    const frame = await host.frame()
    expect(frame.height).toBeGreaterThanOrEqual(height)
    host.stop()
  }
})

test('on a low screen the frame is no higher than the viewport', long, async ({ site, page }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  const host = await openHostPage(site, page, element)
  expect((await host.frame()).height).toBe(390)
  host.stop()
})

/** The check in a 320-pixel column, on a screen that is tall enough. */
async function openNarrow(site: Site, page: Page) {
  await page.setViewportSize({ width: 390, height: 1100 })
  return openHostPage(
    site,
    page,
    (link, address) =>
      `<div id="check" style="width:320px"></div><p id="after">What follows</p>${shownInCheck(link, address)}`,
  )
}

/** The height of the part of the check that is clipped. */
const cutOff = (page: Page) =>
  page
    .frames()
    .at(-1)!
    .evaluate(() => document.documentElement.scrollHeight - innerHeight)

test('a frame grows if the consent or enlarged text needs more height', long, async ({ site, page }) => {
  const host = await openNarrow(site, page)
  await host.frame()
  await expect.poll(() => cutOff(page)).toBe(0)
  const grown = await host.frame()
  expect(grown.height).toBeGreaterThan(560)
  await expectNothingOver(page)
  await page.screenshot({ path: 'screens/embed/grown.png', fullPage: true })
  await page
    .frames()
    .at(-1)!
    .evaluate(() => document.documentElement.style.setProperty('font-size', '150%'))
  await expect.poll(async () => (await host.frame()).height).toBe(1100)
  expect((await host.frame()).height).toBeGreaterThan(grown.height)
  await expectNothingOver(page)
  await page.screenshot({ path: 'screens/embed/enlarged.png', fullPage: true })
  await page.frameLocator('iframe').getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page.frameLocator('iframe').getByRole('button', { name: 'Start camera' })).toBeVisible()
  host.stop()
})

test('only the check itself can request height, within limits', async ({ site, page }) => {
  const host = await openHostPage(site, page, element)
  const { height } = await host.frame()
  const post = (from: Page | ReturnType<Page['frames']>[number], message: unknown) =>
    from.evaluate((sent) => parent.postMessage(sent, '*'), message)
  await page.evaluate(() => globalThis.postMessage({ height: 800 }, '*'))
  const check = page.frames().at(-1)!
  for (const wrong of ['800', Number.NaN, -1, 0, null, {}, [800]]) await post(check, { height: wrong })
  await page.waitForTimeout(300)
  expect((await host.frame()).height).toBe(height)
  await post(check, { height: Number.POSITIVE_INFINITY })
  const bound = await page.evaluate(() => innerHeight)
  await expect.poll(async () => (await host.frame()).height).toBe(bound)
  expect(await page.locator('iframe').evaluate(({ style }) => style.minHeight)).toContain('4000px')
  host.stop()
})

test('a container is restored after the check ends', long, async ({ site, page }) => {
  const host = await openHostPage(
    site,
    page,
    (link, address) =>
      `<div id="check" style="height:300px;min-height:10px"></div>${shownInCheck(link, address)}`,
  )
  await host.frame()
  expect(await page.locator('#check').evaluate((it) => it.getBoundingClientRect().height)).toBeGreaterThan(
    300,
  )
  const view = page.frameLocator('iframe')
  await view.getByRole('button', { name: 'I don’t agree' }).click()
  await view.getByRole('button', { name: /^Back to/ }).click()
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(await page.locator('#check').evaluate(({ style }) => style.minHeight)).toBe('10px')
  expect(await page.locator('#check').evaluate((it) => it.getBoundingClientRect().height)).toBe(300)
  host.stop()
})
