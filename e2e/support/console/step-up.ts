import type { Page } from '@playwright/test'

/**
 * Simulates an expired passkey confirmation: the first call to an endpoint is rejected, and all later ones get the
 * server's real answer. `endpoint` is the part after `/v1/`.
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
