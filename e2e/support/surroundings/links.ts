import type { Browser } from '@playwright/test'
import { momentary, type Surrounding } from './surrounding.ts'

/** Something is appended to the link on its way. */
export function appended(tail: string): Surrounding {
  return {
    name: `${JSON.stringify(tail)} after the signature`,
    kind: 'link',
    carry: (link) => `${link}${tail}`,
  }
}

/** Programs that open the link without the person. None of them presses anything. */
const programs = {
  'a scanner that waits for 10 s': (browser: Browser, link: string) => scan(browser, link, 10_000),
  'two scanners at once': async (browser: Browser, link: string) => {
    await Promise.all([scan(browser, link), scan(browser, link)])
  },
  'ten previews': async (browser: Browser, link: string) => {
    for (let i = 0; i < 10; i++) await scan(browser, link)
  },
  'a program without scripts': async (_browser: Browser, link: string) => {
    for (const method of ['HEAD', 'GET']) await (await fetch(link, { method })).text()
  },
  'a scanner that scrolls and moves a mouse': async (browser: Browser, link: string) => {
    const page = await browser.newPage()
    await page.goto(link, { waitUntil: 'networkidle' })
    await page.mouse.move(200, 200)
    await page.mouse.wheel(0, 2000)
    await page.keyboard.press('Tab')
    await page.close()
  },
} as const
type Program = keyof typeof programs

async function scan(browser: Browser, link: string, milliseconds = 0): Promise<void> {
  const page = await browser.newPage()
  await page.goto(link, { waitUntil: 'networkidle' })
  await page.waitForTimeout(milliseconds)
  await page.close()
}

/** A program opens the link before the person does. */
export function scanned(program: Program): Surrounding {
  return { name: `${program} before the person`, kind: 'link', precede: programs[program] }
}

/** A program opens the link while the person is at the consent page, or later. */
export function scannedMeanwhile(program: Program): Surrounding {
  const opened = new WeakMap<object, string>()
  const scanning = momentary('link', program, 'consent', async (page) =>
    programs[program](page.context().browser()!, opened.get(page.context()) ?? page.url()),
  )
  const remembering = (surrounding: Surrounding): Surrounding => ({
    ...surrounding,
    async surround(context) {
      context.on('request', (request) => {
        if (request.isNavigationRequest() && !opened.has(context)) opened.set(context, request.url())
      })
    },
    from: (moment) => remembering(scanning.from!(moment)),
  })
  return remembering(scanning)
}

/** The languages that the sender asks for, and those of the browser. */
export function languages(ofSender: string | undefined, ...ofBrowser: readonly string[]): Surrounding {
  return {
    name: `languages ${ofSender ?? 'of nobody'}, in a browser of ${ofBrowser.join() || 'en'}`,
    kind: 'link',
    ...(ofSender !== undefined && { signed: `&reLocale=${encodeURIComponent(ofSender)}` }),
    ...(ofBrowser.length > 0 && { languages: ofBrowser }),
  }
}
