import type { Browser, BrowserContext, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Product, Receiver } from '../product.ts'
import type { Acting } from './acting.ts'
import { installActor } from './actor.ts'
import type { Clip } from './clips.ts'

export interface Site {
  readonly product: Product
  readonly receiver: Receiver
}

/** The properties that a visit needs from a site, wherever the server runs. */
export interface VisitedSite {
  readonly product: Pick<Product, 'address' | 'apiKey' | 'sessionFigures'>
  readonly receiver: Pick<Receiver, 'address'>
}

/** All of a result URL's parameters. */
const everyParameter = Object.fromEntries(
  [
    'includeSignature',
    'includeSessionId',
    'includeFaceId',
    'includeAge',
    'includeGender',
    'includeVerificationResult',
    'includeCustomInputParameters',
    'includeLivenessCheckResult',
    'includeAgeVerificationResult',
    'includeGenderVerificationResult',
    'includeFaceRecognitionResult',
    'includeCorrelationId',
    'includeTotalFaceCount',
    'includeFailedReason',
  ].map((flag) => [flag, true]),
)

let made = 0

/** Creates a verification that returns to the receiver and notifies it. It allows a single try unless `more` overrides that. */
export async function createCheck(
  site: VisitedSite,
  verifierConfigs: VerificationConfig['verifierConfigs'],
  more: VerificationConfig = {},
): Promise<string> {
  const { verificationId } = await call(fetch, site.product.address, createVerification, {
    credential: { apiKey: site.product.apiKey },
    body: {
      name: `check ${++made}`,
      verificationConfig: {
        verifierConfigs,
        redirectConfig: {
          passedUrl: `${site.receiver.address}/passed`,
          failedUrl: `${site.receiver.address}/failed`,
        },
        resultParameterConfig: everyParameter,
        webhookConfig: { eventCallbackUrl: `${site.receiver.address}/hook` },
        retryConfig: { attempts: 0 },
        ...more,
      },
    },
  })
  return verificationId
}

/** A signed link that opens the check once. */
export async function signLink(site: VisitedSite, verificationId: string, more = ''): Promise<string> {
  const { signedQueryString } = await call(fetch, site.product.address, createSignature, {
    credential: { apiKey: site.product.apiKey },
    body: {
      queryString: `reVerificationId=${verificationId}${more}`,
      securitySettings: { enableNonce: true },
    },
  })
  return `${site.product.address}/verification/${verificationId}?${signedQueryString}`
}

export function readResult(site: VisitedSite, verificationSessionId: string): Promise<SessionResult> {
  return call(fetch, site.product.address, getSessionResult, {
    credential: { apiKey: site.product.apiKey },
    query: { verificationSessionId },
  })
}

export interface Outcome {
  /** `passed` or `failed`, taken from the address that the visitor returned to. */
  readonly returned: string
  readonly parameters: URLSearchParams
  readonly signature: string
  readonly result: SessionResult
  /** Details for a failed test's message: the reasons, and the server's counters since it started. */
  readonly account: string
  readonly page: Page
}

/** Opens the link in a new context with an acted camera, after running `prepare`. The caller closes the context. */
export async function openActed(
  browser: Browser,
  link: string,
  clip: Clip,
  acting: Acting,
  serviceWorkers: 'allow' | 'block' = 'block',
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers })
  await installActor(context, clip, acting)
  await prepare(context)
  const page = await context.newPage()
  if (acting.reads === 'network') followNetwork(page)
  await page.goto(link)
  return { context, page }
}

/** Makes the actor follow the server's answers instead of the page's state. */
function followNetwork(page: Page): void {
  page.on('response', async (response) => {
    if (!response.url().endsWith('/submit-step') || !response.ok()) return
    const body = (await response.json().catch(() => null)) as { next: { action: string } | null } | null
    const action = body?.next?.action ?? null
    await page.evaluate((name) => window.actor.play(name), action).catch(() => undefined)
  })
}

/** Goes from the consent screen to the camera. */
export async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await page.getByRole('button', { name: 'Start camera' }).click()
}

/** Waits until the visitor has returned, then reads the result from the address and the server. */
export async function comeBack(site: VisitedSite, page: Page, timeout = 90_000): Promise<Outcome> {
  await page.waitForURL(`${site.receiver.address}/**`, { timeout })
  const address = new URL(page.url())
  const { result: signature } = await call(fetch, site.product.address, validateSignature, {
    credential: { apiKey: site.product.apiKey },
    body: { queryString: address.search },
  })
  const parameters = address.searchParams
  const result = await readResult(site, parameters.get('reVerificationSessionId')!)
  const account = [...result.verificationFailedReasons, ...(await site.product.sessionFigures())].join('\n')
  return { returned: address.pathname.slice(1), parameters, signature, result, account, page }
}

/** One visit, from opening the link to returning. */
export async function visit(
  site: VisitedSite,
  browser: Browser,
  link: string,
  clip: Clip,
  acting: Acting,
): Promise<Outcome> {
  const { context, page } = await openActed(browser, link, clip, acting)
  try {
    await begin(page)
    const backButton = page.getByRole('button', { name: /^Back to/ })
    void page
      .waitForSelector('[data-state="passed"], [data-state="notCompleted"]', { timeout: 90_000 })
      .then(() => backButton.click({ timeout: 3000 }))
      .catch(() => undefined)
    return await comeBack(site, page)
  } finally {
    await context.close()
  }
}
