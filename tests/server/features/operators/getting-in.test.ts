import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { newAuthenticator } from '../../../support/authenticator.ts'
import { type ConsoleVisitor, consoleOf, newVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

const { beginSignIn, finishSignIn, getMe } = consoleCatalogue

let host: Host
let ada: ConsoleVisitor
beforeAll(async () => {
  host = await startHost()
  ada = await signedInAs(host, 'owner', 'Ada')
})
afterAll(() => host.close())

const begin = async () => (await ada.ask(beginSignIn)).body as { ceremony: string; options: object }
const finish = (body: object) => newVisitor(host, ada.device).ask(finishSignIn, body)

describe('sign-in', () => {
  it('names no person before a passkey is shown, and is recorded once a person is in', async () => {
    const { options } = await begin()
    expect(options).toMatchObject({ allowCredentials: [], userVerification: 'required', rpId: 'localhost' })
    const visitor = newVisitor(host, ada.device)
    expect(await visitor.signIn()).toMatchObject({
      status: 200,
      body: { me: { name: 'Ada', role: 'owner' } },
    })
    expect((await visitor.ask(getMe)).status).toBe(200)
    const [entry] = await host.services.auditLog.page(host.accountId, 1, undefined)
    expect(entry).toMatchObject({
      operation: 'signIn',
      actor: { kind: 'operator', operator: { name: 'Ada' } },
    })
  })

  it('accepts each answer once', async () => {
    const { ceremony, options } = await begin()
    const body = { ceremony, response: ada.device.show({ ...options }) }
    expect((await finish(body)).status).toBe(200)
    expect(await finish(body)).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/response' }] } })
  })

  it('accepts an answer for five minutes', async () => {
    const early = await begin()
    const late = await begin()
    const answerTo = ({ ceremony, options }: typeof early) =>
      finish({ ceremony, response: ada.device.show({ ...options }) })
    host.pass(5 * 60_000 - 2000)
    expect((await answerTo(early)).status).toBe(200)
    host.pass(2000)
    expect((await answerTo(late)).status).toBe(400)
  })

  const wrong: readonly (readonly [string, Parameters<ConsoleVisitor['device']['show']>[1]])[] = [
    ['was made for another page', { origin: 'https://evil.example' }],
    ['was made for another host', { rpId: 'evil.example' }],
    ['was made without asking who it is', { flags: 1 }],
    ['signs another challenge', { challenge: 'x'.repeat(43) }],
    ['was copied', { counter: 0 }],
  ]
  test.each(wrong)('refuses an answer that %s', async (_name, otherwise) => {
    // A copied passkey counts from before the last sign-in.
    expect(await newVisitor(host, ada.device).signIn()).toMatchObject({ status: 200 })
    const { ceremony, options } = await begin()
    const response = ada.device.show({ ...options }, otherwise)
    expect((await finish({ ceremony, response })).status).toBe(400)
  })

  it('refuses challenges for another purpose, and unknown ones', async () => {
    const again = (await ada.ask(consoleCatalogue.beginAgain)).body as { ceremony: string; options: object }
    const response = ada.device.show({ ...again.options })
    expect((await finish({ ceremony: again.ceremony, response })).status).toBe(400)
    expect((await finish({ ceremony: 'made up', response })).status).toBe(400)
    expect((await finish({ ceremony: 5 })).status).toBe(400)
  })

  it('answers 401 to an unknown passkey', async () => {
    const stranger = newVisitor(host, newAuthenticator(consoleOf(host)))
    expect(await stranger.signIn()).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  it('answers 409 if no passkey works, and 429 after too many attempts', async () => {
    const numbered = await startHost({ ports: { origin: () => 'http://192.0.2.1:8080' } })
    const post = (path: string) =>
      numbered.fetch(`/console/api/sign-in/${path}`, {
        method: 'POST',
        headers: {
          origin: 'http://192.0.2.1:8080',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
        },
        body: '{}',
      })
    expect(await (await post('begin')).json()).toMatchObject({ status: 409, code: 'passkey_unavailable' })
    await numbered.close()
    const limited = await startHost({ limits: { inits: 2 } })
    const visitor = newVisitor(limited)
    const statuses = [1, 2, 3].map(async () => (await visitor.ask(finishSignIn, {})).status)
    expect((await Promise.all(statuses)).sort()).toEqual([400, 400, 429])
    await limited.close()
  })
})
