import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Phase } from '#server/platform/running/phase.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { watchSessions } from '#shared/contract/console/events.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { type ConsoleVisitor, signedInAs } from '../../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../../support/host.ts'

let host: Host
let phase: Phase = 'serving'
let verificationId: string
beforeAll(async () => {
  host = await startHost({ ports: { phase: () => phase } })
  const verifierConfigs = { liveness: { type: 'Verification', challengeType: 'Balanced' } }
  const body = { name: 'door', verificationConfig: { verifierConfigs } }
  verificationId = (await host.call(createVerification, { body } as never)).verificationId
})
afterAll(() => host.close())

const open = (h = host) => h.call(createSession, { body: { verificationId } } as never)

/** Reads a stream one event at a time. */
async function listen(visitor: ConsoleVisitor) {
  const answer = await visitor.open(watchSessions)
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    async next(): Promise<string> {
      while (!text.includes('\n\n')) {
        const { value, done } = await reader.read()
        if (done) return 'over'
        text += value
      }
      const [event = ''] = text.split('\n\n')
      text = text.slice(event.length + 2)
      return event
    },
    close: () => reader.cancel(),
  }
}

describe('news', () => {
  it('is sent at once, and when a session arrives', async () => {
    const stream = await listen(await signedInAs(host, 'viewer', 'Vera'))
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const first = await stream.next()
    expect(first).toMatch(/^event: sessions\ndata: \{"change":\d+\}$/)
    await open()
    const second = await stream.next()
    const numberIn = (event: string) => Number(/\d+/.exec(event)?.[0])
    expect(numberIn(second)).toBeGreaterThan(numberIn(first))
    await stream.close()
  })

  it('of another account is not sent', async () => {
    const { account } = await host.services.accounts.create('Other')
    const stream = await listen(await signedInAs({ ...host, accountId: account.accountId }, 'owner', 'Olga'))
    expect(await stream.next()).toContain('{"change":0}')
    await open()
    const next = await Promise.race([stream.next(), new Promise((over) => setTimeout(over, 2500, 'nothing'))])
    expect(next).toBe('nothing')
    await stream.close()
  })

  it('requires a sign-in, and ends with it', async () => {
    const bob = await signedInAs(host, 'viewer', 'Bob')
    expect((await bob.open(watchSessions, { token: null })).status).toBe(401)
    expect((await bob.open(watchSessions, { site: 'cross-site' })).status).toBe(403)
    const stream = await listen(bob)
    await stream.next()
    await bob.ask(consoleCatalogue.signOut)
    await open()
    expect(await stream.next()).toBe('event: end\ndata: {}')
    expect(await stream.next()).toBe('over')
  })

  it('ends with a role, and does not extend a sign-in', async () => {
    const [ada, eve] = [await signedInAs(host, 'owner', 'Ada'), await signedInAs(host, 'viewer', 'Eve')]
    const stream = await listen(eve)
    await stream.next()
    await ada.ask(consoleCatalogue.changeRole, { operatorId: eve.me().operatorId, role: 'reviewer' })
    await open()
    expect(await stream.next()).toContain('event: end')
    const other = await startHost()
    const idle = await signedInAs(other, 'viewer', 'Idle')
    other.pass(20 * 60_000)
    const kept = await listen(idle)
    expect((await idle.ask(consoleCatalogue.getMe, {}, { background: true })).status).toBe(200)
    other.pass(10 * 60_000)
    expect((await idle.ask(consoleCatalogue.getMe)).status).toBe(401)
    await kept.close()
    await other.close()
  })

  it('is sent to ten tabs of a person, and to one more when one is closed', async () => {
    const carol = await signedInAs(host, 'viewer', 'Carol')
    const streams = await Promise.all(Array.from({ length: 10 }, () => listen(carol)))
    expect((await carol.open(watchSessions)).status).toBe(429)
    await streams[0]!.close()
    await expect.poll(async () => (await listen(carol)).status).toBe(200)
    for (const stream of streams.slice(1)) await stream.close()
  })

  it('ends when the server stops', async () => {
    const stream = await listen(await signedInAs(host, 'viewer', 'Last'))
    await stream.next()
    phase = 'stopping'
    expect(await stream.next()).toContain('event: end')
    phase = 'serving'
  })
})
