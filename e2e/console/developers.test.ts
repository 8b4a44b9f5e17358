import { randomUUID } from 'node:crypto'
import { enterConsole } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

test('a call is found by the request id of its answer, and shows what was wrong with it', async ({
  site,
  browser,
}) => {
  const { product } = site
  const requestId = randomUUID()
  const answer = await fetch(
    `${product.address}/v1/verification/get?verificationId=nobody-42&verifcationId=1`,
    {
      headers: { Authorization: `ApiKey ${product.apiKey}`, 'X-Request-Id': requestId },
    },
  )
  expect(answer.status).toBe(404)
  const { page } = await enterConsole(site, browser, 'Looks for calls')
  await page.getByRole('link', { name: 'Developers' }).click()
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('searchbox', { name: 'Request id' }).fill(requestId)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`requestId=${requestId}`))
  const rows = page.getByRole('table', { name: 'Latest calls' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('GET /v1/verification/get')
  await expect(rows.last()).toContainText('404')
  await expect(rows.last()).toContainText('not_found')
  await expect(rows.last()).toContainText('Unknown names, ignored: verifcationId')
  await expect(page.getByText('nobody-42')).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Refused or failed' }).click()
  await expect(rows.nth(1)).toBeVisible()
  await page.context().close()
})

test(
  'an endpoint that is called from the console returns the same answer as with a key',
  long,
  async ({ site, browser }) => {
    const { page } = await enterConsole(site, browser, 'Tries calls')
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('link', { name: 'Try the API' }).click()
    await page.getByLabel('Find an endpoint').fill('create-session')
    await page.getByLabel('Endpoint', { exact: true }).selectOption('createSession')
    const body = page.getByLabel('Body')
    await body.fill('{')
    await expect(page.getByText('This is no JSON.')).toBeVisible()
    await body.fill('{"verifierConfigs":{"livness":{}}}')
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('textbox', { name: 'Answer' })
    await expect(answer).toHaveValue(/did you mean liveness/)
    await body.fill(
      '{"verifierConfigs":{"liveness":{"type":"Verification"}},"correlationId":"tried-by-hand"}',
    )
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(answer).toHaveValue(/"verificationSessionId"/)

    await page.getByLabel('Find an endpoint').fill('get-sessions')
    await page.getByLabel('Endpoint', { exact: true }).selectOption('getSessions')
    await page.getByLabel('correlationId').fill('tried-by-hand')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(answer).toHaveValue(/"source": "api"/)
    await page.getByText('The same with a key').click()
    await expect(page.getByRole('textbox', { name: 'The same with a key' })).toHaveValue(
      /^curl -sS .*correlationId=tried-by-hand/,
    )
    await page.context().close()
  },
)
