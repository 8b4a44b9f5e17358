import type { Browser, BrowserContext } from '@playwright/test'
import { installActor } from '../../../e2e/support/acted/actor.ts'
import { signLink } from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import type { Product } from '../../../e2e/support/product.ts'
import type { Forgery } from '../forgery.ts'
import type { Attempt, Method, Plan, Way } from './method.ts'
import { type Stage, setStage, walk, withClip } from './stage.ts'

/** The page in a browser with a replaced getUserMedia: a canvas shows the requested actions. */
export const page: Method = {
  name: 'page',
  is: 'The product’s page in Chromium, with getUserMedia replaced by a canvas that shows what the page asks for.',
  atOnce: 1,
  open: (product, plan) => openPages(product, plan),
}

/** @param edit modifies the page in addition to its camera */
export async function openPages(
  product: Product,
  plan: Plan,
  edit: (context: BrowserContext) => Promise<void> = async () => undefined,
): Promise<Way> {
  const stage = await setStage(product, plan)
  const browser = await launchBrowser()
  return {
    attempt: (forgery) => visit(stage, browser, forgery, edit),
    async close() {
      await browser.close()
      await stage.close()
    },
  }
}

async function visit(
  { site, verificationId }: Stage,
  browser: Browser,
  forgery: Forgery,
  edit: (context: BrowserContext) => Promise<void>,
): Promise<Attempt> {
  return withClip(forgery, async (clip) => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      serviceWorkers: 'block',
    })
    try {
      await installActor(context, clip, { manner: 'asked' })
      await edit(context)
      const tab = await context.newPage()
      await tab.goto(await signLink(site, verificationId))
      return await walk(site, tab)
    } finally {
      await context.close()
    }
  })
}
