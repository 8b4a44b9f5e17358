import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDemo } from '#server/app/demo/demo.ts'
import { getQuality } from '#shared/contract/analysis/face-quality.ts'
import { getVerification } from '#shared/contract/configuration/verification.ts'
import { indexFace, searchFace } from '#shared/contract/recognition/recognition.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { frameOf } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { consent } from '../../../support/visit.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({ demo: true })
})
afterAll(() => host.close())

async function linkOn(path: string, name = 'button'): Promise<URL> {
  const text = await (await host.fetch(path)).text()
  const [, address] = new RegExp(`class="${name}" href="([^"]+)"`).exec(text)!
  return new URL(address!.replaceAll('&amp;', '&'))
}

describe('the demo', () => {
  test('is linked from the start page', async () => {
    const answer = await host.fetch('/')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/demo'])
  })

  test.each(['/demo/playground', '/console'])('leads to %s', async (path) => {
    expect(await (await host.fetch('/demo')).text()).toContain(`<a href="${path}">`)
  })

  test('signs a link that opens a session, and explains the result that comes back', async () => {
    const link = await linkOn('/demo?liveness=off&age=estimate&face=remember')
    const verificationId = link.pathname.split('/').at(-1)!
    expect(link.searchParams.get('reVerificationId')).toBe(verificationId)
    const opened = await host.call(initRedirectSession, {
      body: { verificationId, queryString: link.search },
    })
    expect(opened.capturePlan.verifiers).toMatchObject({ liveness: false, age: true, faceRecognition: true })
    const body = { frames: [{ ...frameOf({ person: 'anna' }), challengeStep: 0 }], consent }
    const { redirectUrl } = await host.call(submitSession, { bearer: opened.sessionToken, body })
    const back = new URL(redirectUrl!)
    const page = await (await host.fetch(back.pathname + back.search)).text()
    for (const name of back.searchParams.keys()) expect(page).toContain(`<dt>${name}</dt>`)
  })

  test('lets a visitor call the analysis, and gives no access to stored data', async () => {
    const answer = await host.fetch('/demo/token')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { token: bearer, expirationUtcTime } = await answer.json()
    expect(Math.round((Date.parse(expirationUtcTime) - host.now()) / 60_000)).toBe(15)
    const image = { bytes: frameOf({ person: 'anna' }).bytes }
    expect((await host.call(getQuality, { bearer, body: { image } })).faces).toHaveLength(1)
    const verificationId = (await linkOn('/demo')).pathname.split('/').at(-1)!
    const faces = { image, collectionId: verificationId }
    const refused = await Promise.all(
      [
        host.call(searchFace, { bearer, body: faces }),
        host.call(indexFace, { bearer, body: faces }),
        host.call(getVerification, { bearer, query: { verificationId } }),
        host.call(createSession, { bearer, body: { verificationId } }),
      ].map((call) => call.then(String, (error) => error.code)),
    )
    expect(refused).toEqual(['forbidden', 'forbidden', 'forbidden', 'forbidden'])
  })

  test('leads through a test without a camera, and marks its result as one', async () => {
    const link = await linkOn('/demo', 'test')
    const verificationId = link.pathname.split('/').at(-1)!
    const opened = await host.call(initRedirectSession, {
      body: { verificationId, queryString: link.search },
    })
    expect(opened.capturePlan.test).toEqual({ outcome: null })
    const body = { frames: [], consent, testOutcome: { result: 'multipleFaces' as const } }
    const { redirectUrl } = await host.call(submitSession, { bearer: opened.sessionToken, body } as never)
    const back = new URL(redirectUrl!)
    const page = await (await host.fetch(back.pathname + back.search)).text()
    expect(page).toContain('<dt>verificationFailedReasons</dt><dd><bdi class="value">multipleFaces</bdi>')
  })

  test('explains what a phone needs if its address leads to this machine only', async () => {
    const command = '<code>npm start -- --https</code>'
    expect(await (await host.fetch('/demo')).text()).toContain(command)
    const elsewhere = await createDemo(host.services, () => 'https://192.168.1.20:8080')
    expect(await elsewhere.start(new Map())).not.toContain(command)
  })

  test('uses one verification for one choice', async () => {
    const [one, two, three] = await Promise.all(
      ['/demo', '/demo?age=estimate', '/demo?age=adult'].map((path) => linkOn(path)),
    )
    expect(two!.pathname).toBe((await linkOn('/demo')).pathname)
    expect(three!.pathname).not.toBe(one!.pathname)
  })

  test('shows input as text, never as markup', async () => {
    const page = await (await host.fetch('/demo/result?%3Cscript%3E=%3Cimg%20src%3Dx%3E&a=%22%27')).text()
    expect(page.replace('<script type="module" src="/demo/script.js">', '')).not.toMatch(/<script|<img/)
    expect(page).toContain('&lt;script&gt;')
  })

  test('has a separate account', async () => {
    expect((await host.services.accounts.findByPurpose('demo'))!.accountId).not.toBe(host.accountId)
  })

  test('does not exist if it is not served', async () => {
    const plain = await startHost()
    expect((await plain.fetch('/demo')).status).toBe(404)
    expect(await (await plain.fetch('/')).text()).toBe('Selfsame is running.\n')
    const toPerson = await plain.fetch('/', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([toPerson.status, toPerson.headers.get('location')]).toEqual([302, '/verification'])
    await plain.close()
  })
})
