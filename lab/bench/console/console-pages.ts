import type { Browser, BrowserContext, CDPSession, Page, Request } from '@playwright/test'
import { median } from '#lab/statistics/quantile.ts'
import { type FilledConsole, startFilledConsole } from '#lab/visits/filled/filled-console.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import type { Store } from '../../../server/platform/store/store.ts'
import { consoleBasePath } from '../../../shared/contract/console/console-paths.ts'
import { watchSessions } from '../../../shared/contract/console/events.ts'
import { getSessions } from '../../../shared/contract/sessions/session-list.ts'

const rounds = 5
const idleMilliseconds = 250

/** Milliseconds from opening an address to its content. */
interface PageTime {
  /** Work of the page's own thread. */
  readonly processor: number
  readonly clock: number
}

/**
 * Each page of the console in Chromium, among thousands of sessions: opened from its address with the files in the browser's cache. The times are
 * medians: by the clock until the last answer has come and nothing is marked as busy, by processor for a quarter of a second more.
 * @param fill writes further sessions of an account
 */
export async function measurePages(
  fill: (store: Store, accountId: string) => Promise<void>,
): Promise<Record<string, number>> {
  const filled = await startFilledConsole()
  let browser: Browser | undefined
  try {
    await fill(filled.host.store, filled.host.accountId)
    browser = await launchBrowser()
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1440, height: 900 } })
    await filled.signIn(context)
    return await measureEach(filled, context)
  } finally {
    await browser?.close()
    await filled.stop()
  }
}

async function measureEach(filled: FilledConsole, context: BrowserContext): Promise<Record<string, number>> {
  const page = await context.newPage()
  const profile = await context.newCDPSession(page)
  await profile.send('Performance.enable')
  const figures: Record<string, number> = {}
  for (const path of await pathsOf(filled)) {
    await open(page, profile, `${filled.address}/${path}`)
    const times: PageTime[] = []
    for (let round = 0; round < rounds; round++)
      times.push(await open(page, profile, `${filled.address}/${path}`))
    const name = path.replace(/[0-9a-f]{32}/, 'one').replaceAll('/', '-')
    figures[`${name}.processorMs`] = median(times.map(({ processor }) => processor))
    figures[`${name}.clockMs`] = median(times.map(({ clock }) => clock))
  }
  return figures
}

async function pathsOf({ host }: FilledConsole): Promise<string[]> {
  const { sessions } = await host.call(getSessions, { query: { review: 'wanted', limit: 1 } })
  const session = `sessions/${sessions[0]!.verificationSessionId}`
  return [
    ...['overview', 'sessions', 'review', 'review/decisions', session, `${session}/face`],
    ...['verifications', 'collections', 'collections/not-welcome', 'kiosks'],
    ...['keys', 'endpoints', 'deliveries', 'requests'].map((tab) => `developers/${tab}`),
    ...['account', 'people', 'audit'].map((tab) => `settings/${tab}`),
  ]
}

const isDrawn = () =>
  document.querySelector('h1') !== null && document.querySelector('[aria-busy="true"]') === null

async function open(page: Page, profile: CDPSession, address: string): Promise<PageTime> {
  await page.goto('about:blank')
  const before = await taskMilliseconds(profile)
  const answers = watchAnswers(page)
  const began = performance.now()
  await page.goto(address)
  await page.waitForFunction(isDrawn)
  const drawn = performance.now()
  // Answers may ask for more, and the page still has to draw the last one.
  do await page.waitForTimeout(idleMilliseconds)
  while (answers.areAwaited())
  const processor = (await taskMilliseconds(profile)) - before
  answers.stop()
  return { processor, clock: Math.max(drawn, answers.last()) - began }
}

/** Notes when the last call was answered. The stream of news never is. */
function watchAnswers(page: Page) {
  const awaited = new Set<Request>()
  let last = 0
  const isCall = (request: Request) =>
    request.url().includes(`${consoleBasePath}/`) && !request.url().includes(watchSessions.path)
  const asked = (request: Request) => void (isCall(request) && awaited.add(request))
  const answered = (request: Request) => {
    if (awaited.delete(request)) last = performance.now()
  }
  page.on('request', asked)
  page.on('requestfinished', answered)
  page.on('requestfailed', answered)
  return {
    areAwaited: () => awaited.size > 0,
    last: () => last,
    stop() {
      page.off('request', asked)
      page.off('requestfinished', answered)
      page.off('requestfailed', answered)
    },
  }
}

async function taskMilliseconds(profile: CDPSession): Promise<number> {
  const { metrics } = await profile.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
}
