import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { frameOf } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { consent } from '../../../support/visit.ts'

let host: Host
let passed: string
let failed: string
beforeAll(async () => {
  host = await startHost({ demo: true })
  passed = await visit(consent)
  failed = await visit({ ...consent, given: false })
})
afterAll(() => host.close())

/** The page that a demo visit returns to. */
async function visit(given: typeof consent): Promise<string> {
  const start = await (await host.fetch('/demo?liveness=off&age=off&face=off')).text()
  const link = new URL(/class="button" href="([^"]+)"/.exec(start)![1]!.replaceAll('&amp;', '&'))
  const verificationId = link.pathname.split('/').at(-1)!
  const opened = await host.call(initRedirectSession, { body: { verificationId, queryString: link.search } })
  const frames = given.given ? [{ ...frameOf({ person: 'anna' }), challengeStep: 0 }] : []
  const body = { frames, consent: given }
  const { redirectUrl } = await host.call(submitSession, { bearer: opened.sessionToken, body })
  const { pathname, search } = new URL(redirectUrl!)
  return pathname + search
}

async function read(path: string, language = 'en'): Promise<string> {
  return (await host.fetch(path, { headers: { 'accept-language': language } })).text()
}

/** The answer's visible texts, in order. */
function told(page: string): string[] {
  const [main] = page.split('<details>')
  return [...main!.matchAll(/<(?:h1|p class="why"|span)>([^<]+)</g)].map(([, text]) => text!)
}

describe('the answer of the demo', () => {
  test('shows a pass first, in green, then the reason, then the signature', async () => {
    const page = await read(passed)
    expect(page).toContain('class="verdict passed"')
    expect(told(page).slice(-3)).toEqual([
      'Passed',
      'Everything that was asked for was met.',
      'The signature holds: this result comes from this server and nobody has changed it.',
    ])
  })

  test('shows a failed check without green, and the reason in one sentence', async () => {
    const page = await read(failed)
    expect(page).toContain('class="verdict failed"')
    expect(told(page).slice(-3, -1)).toEqual(['Not passed', 'The visitor did not agree, or left.'])
  })

  test('only states that an altered answer was altered', async () => {
    const page = await read(failed.replace('failed', 'passed'))
    expect(page).toContain('class="verdict untrusted"')
    expect(page).toContain('class="seal bad"')
    expect(told(page)).not.toContain('Passed')
    expect(page).not.toContain('get-session-result</code>')
  })

  test('folds away the details for integrators, in English', async () => {
    const [, folded] = (await read(passed, 'de')).split('<details>')
    expect(folded).toContain('<div lang="en" dir="ltr">')
    expect(folded).toContain('<dt>reVerificationResult</dt>')
    expect(folded).toContain('<dt>verificationFailedReasons</dt>')
  })

  test.each([
    ['de-CH, en;q=0.5', 'de', 'Bestanden'],
    ['xx, fr;q=0.4', 'fr', 'Vérification réussie'],
    ['ar', 'ar', 'نجح التحقق'],
    ['zh-Hant-TW', 'zh', '已通过'],
    ['xx', 'en', 'Passed'],
  ])('a browser that wants %s reads %s', async (wanted, locale, verdict) => {
    const page = await read(passed, wanted)
    expect(page).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(told(page)).toContain(verdict)
  })
})
