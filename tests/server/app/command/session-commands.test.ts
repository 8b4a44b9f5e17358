import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '#shared/client/client.ts'
import { createAccountCommand } from '../../../support/programs/account-command.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { startProcess, stillLoading } from '../../../support/programs/server-process.ts'
import { consent } from '../../../support/visit.ts'

const verifierConfigs = { age: { type: 'CalculationOnly' } } as const
const testOutcome = { result: 'noFace' } as const

let folder: string
let server: Awaited<ReturnType<typeof startProcess>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-sessions-'))
  server = await startProcess({ ...stillLoading, DATA_DIR: folder })
})
afterAll(async () => {
  await server.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const { account, json } = createAccountCommand(() => folder)
const live = () => createClient({ origin: server.origins[0]!, apiKey: server.apiKey })
const clientOf = (apiKey: string) => createClient({ origin: server.origins[0]!, apiKey })

describe('npm run account, for sessions', () => {
  test('lists them page by page, with the filters of get-sessions', async () => {
    const { verificationSessionId: first } = await live().configuration.createSession({
      verifierConfigs,
      externalId: 'anna',
    })
    const { verificationSessionId: second } = await live().configuration.createSession({ verifierConfigs })
    const page = await json('sessions', '--limit', '1')
    expect(page.sessions).toEqual([expect.objectContaining({ verificationSessionId: second })])
    const next = await json('sessions', '--limit', '1', '--cursor', page.cursor)
    expect(next.sessions).toEqual([expect.objectContaining({ verificationSessionId: first })])
    expect((await account('sessions', '--person', 'anna')).told).toMatch(
      new RegExp(`^${first}  \\S+  Created  api$`),
    )
    expect(await account('sessions', '--result', 'passed')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('verificationResult'),
    })
    expect((await account('sessions', '--person', 'nobody')).told).toBe('There are no sessions.')
  })

  test('cancels one, and waits until its webhook has arrived; notes a review', async () => {
    const receiver = await startReceiver()
    const { verificationId } = await live().configuration.createVerification({
      name: 'cancelled',
      verificationConfig: {
        verifierConfigs,
        webhookConfig: { eventCallbackUrl: `${receiver.address}/hook` },
      },
    })
    const opened = await live().configuration.createSession({ verificationId })
    const id = opened.verificationSessionId
    expect(await account('review-session', id, '--decision', 'Pass')).toMatchObject({ code: 1 })
    expect((await account('cancel-session', id)).told).toBe(`The session ${id} is expired.`)
    expect(receiver.received).toHaveLength(1)
    const result = () => live().configuration.getSessionResult({ verificationSessionId: id })
    expect((await result()).verificationFailedReasons).toEqual(['sessionExpired'])
    expect(await account('review-session', id, '--decision', 'Perhaps')).toMatchObject({ code: 2 })
    expect((await account('review-session', id, '--decision', 'Pass', '--note', 'seen')).code).toBe(0)
    expect((await result()).review).toMatchObject({ decision: 'Pass', note: 'seen' })
    const declined = await live().configuration.createSession({ verifierConfigs })
    await live()
      .session(declined.sessionToken)
      .submitSession({ frames: [], consent: { ...consent, given: false } })
    expect(await account('cancel-session', declined.verificationSessionId)).toMatchObject({ code: 1 })
    const { entries } = await json('audit', '--limit', '20')
    const operations = entries.map(({ operation }: { operation: string }) => operation)
    expect(operations).toEqual(expect.arrayContaining(['cancelSession', 'reviewSession', 'expireSession']))
    receiver.close()
  })

  test('counts them, and shows what is stored of a person', async () => {
    const day = 24 * 3600_000
    const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * day).toISOString())
    const { intervals } = await json('usage', '--from', from!, '--to', to!, '--interval', 'day')
    const opened = intervals.reduce(
      (sum: number, { states }: { states: { opened: number } }) => sum + states.opened,
      0,
    )
    expect(opened).toBeGreaterThanOrEqual(4)
    expect(await account('usage', '--from', from!, '--to', to!)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('interval'),
    })
    const exported = JSON.parse((await account('export-person', 'anna')).told)
    expect(exported).toMatchObject({ externalId: 'anna', sessions: [{ state: 'Created' }] })
    expect(await live().configuration.exportPerson({ externalId: 'anna' })).toMatchObject({
      sessions: exported.sessions,
    })
  })

  test('works on the test account with --mode test, once there is one', async () => {
    expect(await account('rotate-webhook-secret', '--mode', 'test')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('create-key NAME --mode test'),
    })
    const { apiKey } = await json('create-key', 'CI', '--scopes', 'configure', '--mode', 'test')
    await clientOf(apiKey).configuration.createSession({ verifierConfigs, testOutcome })
    expect((await json('sessions', '--mode', 'test')).sessions).toEqual([
      expect.objectContaining({ environment: 'test' }),
    ])
    expect((await json('sessions')).sessions).not.toContainEqual(
      expect.objectContaining({ environment: 'test' }),
    )
    expect((await account('rotate-webhook-secret', '--mode', 'test')).told).toContain('whsec_')
    expect((await json('show', '--mode', 'test')).account.environment).toBe('test')
    expect((await json('show', '--mode', 'live')).account.environment).toBe('live')
    expect(await account('show', '--mode', 'dry')).toMatchObject({ code: 2 })
  })

  test('changes what visitors are shown of the account', async () => {
    const words = ['--display-name', 'The Harbour', '--support', 'mailto:help@harbour.example']
    await json('update', ...words, '--radius', '4', '--font', 'serif', '--look', 'dark')
    const shown = { displayName: 'The Harbour', supportUrl: 'mailto:help@harbour.example' }
    expect((await json('show')).account).toMatchObject({
      ...shown,
      theme: { radius: 4, font: 'serif', mode: 'dark' },
    })
    await json('update', '--display-name', 'none', '--support', 'none', '--radius', 'none', '--font', 'none')
    expect((await json('show')).account).toMatchObject({
      displayName: null,
      supportUrl: null,
      theme: { radius: null, font: null, mode: 'dark' },
    })
    expect(await account('update', '--radius', 'round')).toMatchObject({ code: 2 })
  })
})
