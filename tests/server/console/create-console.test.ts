import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { consoleOf, newVisitor, signedInAs } from '../../support/console-visitor.ts'
import { type Host, startHost } from '../../support/host.ts'

const { getMe } = consoleCatalogue

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

describe('getting in', () => {
  it('lets in who was invited, and calls public endpoints with the role', async () => {
    const ada = await signedInAs(host, 'owner', 'Ada')
    expect(ada.me()).toMatchObject({ name: 'Ada', role: 'owner', accountId: host.accountId })
    expect(await ada.ask(getMe)).toMatchObject({ status: 200, body: { name: 'Ada' } })
    expect(await ada.ask(getSessions)).toMatchObject({ status: 200, body: { sessions: [] } })
    const again = newVisitor(host, ada.device)
    expect((await again.ask(getMe)).status).toBe(401)
    expect(await again.signIn()).toMatchObject({ status: 200, body: { me: { name: 'Ada' } } })
    expect(consoleOf(host)).toContain('localhost')
    expect(host.errors).toEqual([])
  })
})
