import { describe, expect, test } from 'vitest'
import { createResumeSecrets } from '#web/capture/flow/resume-secret.ts'

function pageWith(kept = new Map<string, string>()) {
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  return { localStorage, kept }
}

describe('the secret of a link', () => {
  test('is 256 bits, and the same in every tab of the browser', async () => {
    const page = pageWith()
    const first = (await createResumeSecrets(page).of('v?a=1'))!
    expect(first.value).toMatch(/^[\w-]{43}$/)
    expect(first.wasKept).toBe(false)
    expect(await createResumeSecrets(page).of('v?a=1')).toMatchObject({ value: first.value, wasKept: true })
  })

  test('is none before the link is opened, and asking for it makes none', async () => {
    const page = pageWith()
    const secrets = createResumeSecrets(page)
    expect(await secrets.isKept('v?a=1')).toBe(false)
    expect(page.kept.size).toBe(0)
    await secrets.of('v?a=1')
    expect(await createResumeSecrets(page).isKept('v?a=1')).toBe(true)
  })

  test('is different for each link, and links are not stored', async () => {
    const page = pageWith()
    const secrets = createResumeSecrets(page)
    const [one, other] = [await secrets.of('v?reExternalId=anna'), await secrets.of('v?reExternalId=ben')]
    expect(one!.value).not.toBe(other!.value)
    expect([...page.kept.values()].join()).not.toMatch(/anna|ben/)
    expect((await secrets.of('v?reExternalId=anna'))!.value).toBe(one!.value)
  })

  test('lasts for 20 minutes from when the link was opened last', async () => {
    let now = 1_000_000
    const page = pageWith()
    const secrets = createResumeSecrets(page, () => now)
    const first = (await secrets.of('v?a=1'))!
    now += 19 * 60_000
    first.renew()
    now += 19 * 60_000
    expect((await secrets.of('v?a=1'))!.value).toBe(first.value)
    now += 2 * 60_000
    expect(await secrets.of('v?a=1')).toMatchObject({ wasKept: false })
  })

  test('is kept for the twenty newest links', async () => {
    const secrets = createResumeSecrets(pageWith())
    for (let i = 0; i < 21; i++) await secrets.of(`v?a=${i}`)
    expect((await secrets.of('v?a=20'))!.wasKept).toBe(true)
    expect((await secrets.of('v?a=0'))!.wasKept).toBe(false)
  })

  test('is undefined if the browser stores nothing', async () => {
    const refuse = () => {
      throw new Error('refused')
    }
    const refusing = { getItem: refuse, setItem: refuse, removeItem: refuse }
    expect(await createResumeSecrets({ localStorage: refusing }).of('v?a=1')).toBeUndefined()
    const unnamed = {
      get localStorage(): never {
        throw new Error('refused')
      },
    }
    expect(await createResumeSecrets(unnamed).of('v?a=1')).toBeUndefined()
  })

  test('is created again if the stored value is not JSON', async () => {
    const page = pageWith(new Map([['selfsame:resume', '{"torn']]))
    expect(await createResumeSecrets(page).of('v?a=1')).toMatchObject({ wasKept: false })
  })
})
