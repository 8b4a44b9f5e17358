import { expect, test } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { newAuthenticator } from '../../../../support/authenticator.ts'
import { signedInAs } from '../../../../support/console-visitor.ts'
import { startHost } from '../../../../support/host.ts'

test('the cookie is HttpOnly, SameSite=Strict, lives 12 hours at most, and is cleared on removal', async () => {
  const host = await startHost()
  const ada = await signedInAs(host, 'owner')
  const { headers } = await ada.signIn()
  expect(headers.get('set-cookie')).toMatch(
    /^selfsame-console=[\w-]+\.[\w-]{43}; Max-Age=43200; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
  )
  const { signOut } = consoleCatalogue
  expect((await ada.ask(signOut)).headers.get('set-cookie')).toBe(
    'selfsame-console=; Max-Age=0; Path=/console/api; HttpOnly; SameSite=Strict',
  )
  await host.close()
})

test('under https the cookie is secure and bound to its host by its name', async () => {
  const origin = 'https://id.example'
  const host = await startHost({ ports: { origin: () => origin } })
  const { accountId } = host
  const asked = { accountId, name: 'Ada', role: 'owner', lifeInSeconds: 60, mayReplace: false } as const
  const { code } = await host.services.invitations.make(asked)
  const post = async (path: string, body: object) => {
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    return host.fetch(`/console/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const begun = (await (await post('invitation/begin', { code })).json()) as {
    ceremony: string
    options: object
  }
  const response = newAuthenticator(origin).make({ ...begun.options })
  const answer = await post('invitation/finish', { code, ceremony: begun.ceremony, response })
  expect(answer.headers.get('set-cookie')).toMatch(
    /^__Host-selfsame-console=[\w.-]+; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  )
  await host.close()
})
