import type { Page } from '@playwright/test'

/**
 * As after five minutes: the first call of an endpoint is refused for want of the passkey, and whatever comes after it was shown is the
 * server's own answer. `endpoint` is what follows `/v1/`.
 */
export async function askForPasskeyOnce(page: Page, endpoint: string): Promise<void> {
  let refusals = 0
  await page.route(`**/console/api/v1/${endpoint}`, async (route) => {
    if (refusals++ > 0) return route.fallback()
    return route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'passkey_needed', status: 403, detail: 'Again.', title: 'Forbidden' }),
    })
  })
}
