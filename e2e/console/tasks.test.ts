import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '#shared/client/client.ts'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { createCheck, signLink, visit } from '../support/acted/scenario.ts'
import { endedSession, enterConsole, makeKey, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

test('the reason for refusing user-42 is found with only their name', async ({ site, browser }) => {
  const { client } = await testClient(site)
  await endedSession(client, { externalId: 'user-41', result: 'passed' })
  await endedSession(client, { externalId: 'user-42', result: 'ageNotMet' })
  const { page, show } = await enterConsole(site, browser, 'Finds')
  await show('Test')
  await page.keyboard.press('/')
  await page.keyboard.type('user-42')
  await page.keyboard.press('Enter')
  await page.getByRole('search').getByRole('link', { name: 'Sessions user-42' }).click()
  const row = page.getByRole('row', { name: /user-42/ })
  await expect(row).toContainText('Age not met')
  await expect(page.getByRole('row', { name: /user-41/ })).toHaveCount(0)
  await expect(page).toHaveURL(/externalId=user-42/)
  await row.getByRole('link').first().click()
  await expect(
    page.getByText('This person was refused because the estimated age does not meet the rule.'),
  ).toBeVisible()
  await expect(page.getByText('No pictures are kept, only measurements.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Decided: Failed')).toBeVisible()
})

test(
  'new sessions wait above the list until requested, and nothing moves',
  long,
  async ({ site, browser }) => {
    const { client } = await testClient(site)
    const externalId = 'watched'
    await endedSession(client, { externalId, result: 'passed' })
    const { page, show } = await enterConsole(site, browser, 'Watches')
    await show('Test')
    await page.goto(`${new URL(page.url()).origin}/console/sessions?externalId=${externalId}`)
    const rows = page.getByRole('row', { name: /watched/ })
    await expect(rows).toHaveCount(1)
    const before = await rows.first().boundingBox()
    await endedSession(client, { externalId, result: 'noFace' })
    const news = page.getByRole('button', { name: 'Show 1 new session' })
    await expect(news).toBeVisible()
    await expect(rows).toHaveCount(1)
    expect(await rows.first().boundingBox()).toEqual(before)
    await news.click()
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('No face seen')
  },
)

test('a key that is revoked in the console is rejected at the next request', async ({ site, browser }) => {
  const { page } = await enterConsole(site, browser, 'Revokes')
  const apiKey = await makeKey(page, 'Shop server')
  await expect(page.getByText('The key “Shop server”')).toBeVisible()
  const shop = createClient({ origin: site.product.address, apiKey })
  await shop.configuration.getAllVerifications()
  await page.getByLabel('Actions: Shop server').click()
  await page.getByRole('button', { name: 'Revoke Shop server' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('row', { name: /Shop server/ })).toContainText('Revoked')
  await expect(shop.configuration.getAllVerifications()).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('a failed delivery is sent again and arrives', long, async ({ site, browser }) => {
  let status = 500
  const received: string[] = []
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      received.push(String(request.headers['webhook-id']))
      response.writeHead(status).end()
    })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const { client } = await testClient(site)
  const { verificationId } = await client.configuration.createVerification({
    name: 'Told of',
    verificationConfig: { webhookConfig: { eventCallbackUrl: url } },
  })
  await endedSession(client, { externalId: 'told', result: 'passed', verificationId })
  const { page, show } = await enterConsole(site, browser, 'Resends')
  await show('Test')
  await page.getByRole('link', { name: 'Developers' }).click()
  await page.getByRole('link', { name: 'Deliveries' }).click()
  const given = page.getByRole('row').filter({ hasText: url }).filter({ hasText: 'HTTP 500' })
  await expect(given).toContainText('Given up')
  status = 200
  await given.getByRole('button', { name: 'Send again' }).click()
  const resent = page.getByRole('row').filter({ hasText: url }).filter({ hasText: 'HTTP 200' })
  await expect(resent).toContainText('Delivered')
  expect(new Set(received).size).toBe(1)
  receiver.close()
})

test('an invited viewer can read but not change anything', long, async ({ site, browser }) => {
  const { client } = await testClient(site)
  await endedSession(client, { externalId: 'seen', result: 'lowQuality' })
  const { page: owner } = await enterConsole(site, browser, 'Invites')
  await owner.getByRole('link', { name: 'Settings' }).click()
  await owner.getByRole('link', { name: 'People' }).click()
  await owner.getByRole('button', { name: 'Invite somebody' }).click()
  await owner.getByLabel('Name', { exact: true }).fill('Vera')
  await owner.getByLabel('Role', { exact: true }).selectOption('Viewer')
  await owner.getByRole('button', { name: 'Create' }).click()
  await expect(owner.getByText('The invitation for Vera')).toBeVisible()
  const { page, show } = await enterConsole(site, browser, 'Vera looks', { role: 'viewer' })
  await show('Test')
  const navigation = page.getByRole('navigation', { name: 'Pages of the console' })
  await expect(navigation.getByRole('link', { name: 'Developers' })).toHaveCount(0)
  await navigation.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('row', { name: /seen/ }).getByRole('link').first().click()
  await expect(page.getByText(/too dark, too blurred/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Fail', exact: true })).toHaveCount(0)
  await navigation.getByRole('link', { name: 'Verifications' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Verifications' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New verification' })).toHaveCount(0)
  const status = await page.evaluate(async () => {
    const headers = {
      'content-type': 'application/json',
      'x-anti-forgery': localStorage.getItem('console-token') ?? '',
    }
    const body = JSON.stringify({ name: 'Mine' })
    const path = '/console/api/v1/verification/create'
    return (await fetch(path, { method: 'POST', headers, body })).status
  })
  expect(status).toBe(403)
})

test('thirty sessions are reviewed with the keyboard alone', async ({ freshSite: site, browser }) => {
  const { client } = await testClient(site)
  for (let i = 0; i < 30; i++)
    await endedSession(client, { externalId: `person-${i}`, result: 'challengeFailed' })
  const { page, show } = await enterConsole(site, browser, 'Reviews', { role: 'reviewer' })
  await show('Test')
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(page.getByText('1 of 30')).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('n')
    await expect(page.getByLabel('Note')).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type('Looked at twice.')
  await page.keyboard.press('Escape')
  for (let left = 30; left > 0; left--) {
    await expect(page.getByText(`1 of ${left}`, { exact: true })).toBeVisible()
    await page.keyboard.press(left % 2 === 0 ? 'p' : 'f')
  }
  await expect(page.getByRole('heading', { name: 'Nothing waits for a review' })).toBeVisible()
  const { sessions } = await client.configuration.getSessions({ limit: 40 })
  const decisions = sessions.map(({ review }) => review?.decision)
  expect(decisions.filter((one) => one === 'Pass')).toHaveLength(15)
  expect(decisions.filter((one) => one === 'Fail')).toHaveLength(15)
  expect(sessions.filter(({ review }) => review?.note === 'Looked at twice.')).toHaveLength(1)
})

test(
  "a slower reviewer sees the other reviewer's decision and decides again",
  long,
  async ({ freshSite: site, browser }) => {
    const { client } = await testClient(site)
    const { configuration } = client
    const ids = []
    for (const externalId of ['late-1', 'late-2'])
      ids.push(await endedSession(client, { externalId, result: 'challengeFailed' }))
    const faster = (verificationSessionId: string) =>
      configuration.reviewSession({ verificationSessionId, decision: 'Pass', note: 'Called back.' })
    const { page, show } = await enterConsole(site, browser, 'Reviews', { role: 'reviewer' })
    await show('Test')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await expect(page.getByText('1 of 2')).toBeVisible()
    for (const id of ids) await faster(id)
    await page.keyboard.press('f')
    const note = page.getByRole('alert').filter({ hasText: 'Somebody else decided meanwhile' })
    await expect(note).toContainText('Passed')
    await expect(note).toContainText('Called back.')
    await page.keyboard.press('j')
    await expect(page.getByText('1 of 1')).toBeVisible()
    await expect(note).toHaveCount(0)
    await page.keyboard.press('f')
    await note.getByRole('link', { name: 'Look again' }).click()
    await expect(page.getByText('Called back.')).toBeVisible()
    await page.getByLabel('Note', { exact: true }).fill('Seen again.')
    await page.getByRole('button', { name: 'Fail', exact: true }).click()
    await expect(page.locator('blockquote').filter({ hasText: 'Seen again.' })).toBeVisible()
    const { sessions } = await configuration.getSessions({ limit: 20 })
    const decided = sessions.map(({ review }) => `${review?.decision} ${review?.note}`)
    expect(decided.sort()).toEqual(['Fail Seen again.', 'Pass Called back.'])
  },
)

test(
  'an owner resets the passkeys of a person in the console',
  long,
  async ({ freshSite: site, browser }) => {
    const { page } = await enterConsole(site, browser, 'Resets')
    await page.getByRole('link', { name: 'Collections' }).click()
    await page.getByLabel('External id').fill('user-42')
    await page.getByRole('button', { name: 'Reset passkeys' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reset every passkey of this person?' })
    await expect(dialog).toContainText('user-42')
    await dialog.getByRole('button', { name: 'Reset passkeys' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Passkeys reset: 0' })).toBeVisible()
  },
)

test(
  'a real visit appears, the person is erased, and no data of them remains',
  long,
  async ({ freshSite: site, browser }) => {
    test.skip(!hasFootage, 'needs the footage of ../shared/data')
    test.setTimeout(300_000)
    const { page } = await enterConsole(site, browser, 'Erases')
    const navigation = page.getByRole('navigation', { name: 'Pages of the console' })
    const id = await createCheck(site, {
      liveness: { type: 'Verification', challengeType: 'Balanced' },
      faceRecognition: { type: 'CalculationOnly' },
    })
    await navigation.getByRole('link', { name: 'Sessions' }).click()
    await expect(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible()
    const clip = await loadClip(browser, 'Krzysiek354_real.webm')
    const link = await signLink(site, id, '&reExternalId=user-77')
    const { result } = await visit(site, browser, link, clip, {
      manner: 'asked',
      reads: 'page',
      pace: 'human',
    })
    expect(result.verificationResult).toBe('Pass')
    // The list was empty, so new sessions are shown immediately.
    const row = page.getByRole('row', { name: /user-77/ })
    await expect(row).toContainText('Passed')
    await row.getByRole('link').first().click()
    await expect(page.getByText('Decided: Passed')).toBeVisible()
    await navigation.getByRole('link', { name: 'Collections' }).click()
    const collection = page.getByRole('link', { name: /Of the verification/ })
    await collection.click()
    await expect(page.getByRole('row', { name: /user-77/ })).toHaveCount(1)
    await navigation.getByRole('link', { name: 'Collections' }).click()
    await page.getByLabel('External id', { exact: true }).fill('user-77')
    await page.getByRole('button', { name: 'Erase a person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Type “user-77” to continue.')
    await dialog.getByLabel('Type the name again').fill('user-77')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await expect(page.getByText(/^Erased: 1 faces, 1 sessions, \d deliveries$/)).toBeVisible()
    await collection.click()
    await expect(page.getByText('No faces are kept here.')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('user-77')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Nothing was found for “user-77”.')).toBeVisible()
    await page.goto(`${new URL(page.url()).origin}/console/sessions/${result.verificationSessionId}`)
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(page.getByText('user-77')).toHaveCount(0)
  },
)
