import type { Page } from '@playwright/test'
import { faultsOf } from '../support/accessibility.ts'
import { createCheck } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { makeKiosk, openMenu, pin, startButton } from '../support/kiosk/kiosk.ts'
import { long } from '../support/length.ts'
import { overflowsOf } from '../support/overflow.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
const slow = { timeout: 30_000 }

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const pressAll = async (page: Page, keys: string) => {
  for (const key of keys) await press(page, key)
}

test.describe('on-screen keys', () => {
  test.use({ serviceWorkers: 'allow', hasTouch: true })

  test('pair the kiosk, set its PIN and open the menu', async ({ site, page }) => {
    const pairingUrl = new URL(await makeKiosk(site, await createCheck(site, liveness)))
    const code = pairingUrl.hash.slice(1).replace(/[^0-9A-Z]/g, '')
    await page.goto(pairingUrl.origin + pairingUrl.pathname)
    await pressAll(page, `${code.slice(0, 4)}Z`)
    await press(page, 'Delete')
    await pressAll(page, code.slice(4))
    await expect(page.getByLabel('Code')).toHaveValue(code)
    await press(page, 'Pair')
    await expect(page.getByRole('heading', { name: 'Choose a PIN for staff' })).toBeFocused(slow)
    await pressAll(page, pin)
    await press(page, 'Save the PIN')
    await expect(page.getByLabel('The same PIN again')).toBeFocused()
    await pressAll(page, pin)
    await press(page, 'Save the PIN')
    await expect(startButton(page)).toBeVisible({ timeout: 120_000 })

    await press(page, 'Staff')
    await pressAll(page, pin)
    await press(page, 'Open')
    await expect(page.getByRole('heading', { name: 'For staff' })).toBeVisible(slow)
    await press(page, 'Close')
    await openMenu(page) // a keyboard works too
    await press(page, 'Unpair this kiosk')
    await expect(page.getByRole('group', { name: 'Keypad' })).toHaveCount(0)
    await expect(page.getByLabel('Name of the kiosk')).toHaveAttribute('inputmode', 'text')
  })
})

test.describe('the keypad', () => {
  test('shows no digit of a PIN, only the number of digits', async ({ page, preview }) => {
    await preview.open(page, 'kiosk-pin')
    await pressAll(page, '7391')
    const typed = page.locator('main').getByRole('status')
    await expect(typed).toHaveText('4 characters typed')
    const field = page.getByLabel('PIN')
    await expect(field).toHaveValue('7391')
    expect(await page.content()).not.toContain('7391')
    const debug = await page.context().newCDPSession(page)
    const tree = JSON.stringify(await debug.send('Accessibility.getFullAXTree'))
    expect(tree, 'the search finds existing text').toContain('4 characters typed')
    expect(tree).not.toContain('7391')
    await press(page, 'Open')
    await expect(field).toHaveValue('')
    await expect(typed).toHaveText('')
  })

  test('does not move the focus or open another keyboard', async ({ page, preview }) => {
    await preview.open(page, 'kiosk-new-pin')
    await press(page, '5')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    const again = page.getByLabel('The same PIN again')
    await again.click()
    await pressAll(page, '66')
    await expect(again).toBeFocused()
    await expect(again).toHaveValue('66')
    await expect(page.getByLabel('PIN', { exact: true })).toHaveValue('5')
    for (const field of await page.locator('input').all())
      await expect(field).toHaveAttribute('inputmode', 'none')
    await page.keyboard.type('7')
    await expect(again).toHaveValue('667')
    await page.getByRole('button', { name: '8', exact: true }).press('Enter')
    await expect(again).toHaveValue('6678')
    await expect(page.getByRole('button', { name: '8', exact: true })).toBeFocused()
  })

  test('accepts no more characters than the field holds', async ({ page, preview }) => {
    await preview.open(page, 'kiosk-pin')
    await pressAll(page, '12345678901234')
    await expect(page.getByLabel('PIN')).toHaveValue('123456789012')
  })

  for (const [name, width, height] of [
    ['a narrow phone', 320, 568],
    ['a low landscape', 640, 360],
    ['a tablet', 768, 1024],
  ] as const)
    for (const locale of ['de', 'ar'])
      test(
        `fits on ${name}, with keys of 48 pixels, in ${locale}`,
        locale === 'ar' || width !== 320 ? long : {},
        async ({ page, preview }) => {
          await page.setViewportSize({ width, height })
          for (const screen of ['kiosk-pin', 'kiosk-new-pin', 'kiosk-pairing']) {
            await preview.open(page, screen, locale)
            expect(await overflowsOf(page)).toEqual([])
            expect(await faultsOf(page)).toEqual([])
            const keys = await page.locator('.key').evaluateAll((all) =>
              all.map((key) => {
                const { width, height, left } = key.getBoundingClientRect()
                return { name: key.textContent, width, height, left }
              }),
            )
            expect(keys.filter((key) => key.width < 48 || key.height < 48)).toEqual([])
            const [one, two] = [keys.find((key) => key.name === '1')!, keys.find((key) => key.name === '2')!]
            expect(one.left, 'keys have the same order in every language').toBeLessThan(two.left)
          }
        },
      )
})
