import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountProgram } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { readSettings } from '#server/app/settings.ts'
import { createClient } from '#shared/client/client.ts'
import { sentenceFor } from '../../build/outside-programs.mjs'
import { readPage } from '../support/document-pages.ts'
import { type Host, startHost } from '../support/host.ts'
import { freePort } from '../support/programs/redis-server.ts'

const page = readPage('docs/try.md').text
const shown = 'http://127.0.0.1:8080'

/** The message that a rejected call gets, at the address that the page shows. */
async function messageOf(origin: string, work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: Error) => reason,
  )
  return error!.message.replaceAll(origin, shown)
}

describe('the page about the first hour shows what a reader meets if', () => {
  let host: Host
  beforeAll(async () => {
    host = await startHost()
  })
  afterAll(() => host.close())

  const client = (origin: string, apiKey: string) => createClient({ origin, apiKey }).configuration

  test('the server is not running', async () => {
    const origin = `http://127.0.0.1:${await freePort()}`
    expect(page).toContain(await messageOf(origin, client(origin, 'a').getAllVerifications()))
  })

  test('the key is wrong', async () => {
    expect(page).toContain(
      await messageOf(host.origin, client(host.origin, 'a'.repeat(43)).getAllVerifications()),
    )
  })

  test('a name in a body is misspelt', async () => {
    const body = { verifierConfigs: { livenes: { type: 'Verification' } } } as never
    expect(page).toContain(await messageOf(host.origin, client(host.origin, host.apiKey).createSession(body)))
  })

  test('a return address is not https', async () => {
    const verificationConfig = { redirectConfig: { passedUrl: 'http://shop.example/welcome' } }
    const made = client(host.origin, host.apiKey).createVerification({ name: 'sign-up', verificationConfig })
    expect(page).toContain(await messageOf(host.origin, made))
  })

  test('a live key names an outcome', async () => {
    const body = {
      verifierConfigs: { liveness: { type: 'Verification' } },
      testOutcome: { result: 'passed' },
    } as const
    expect(page).toContain(await messageOf(host.origin, client(host.origin, host.apiKey).createSession(body)))
  })

  test('a command finds no store', async () => {
    const told: string[] = []
    const io = { write: () => undefined, error: (line: string) => void told.push(line), ask: async () => '' }
    const settings = () => readSettings({ DATA_DIR: 'no-such-folder/data' })
    await runCommand(accountProgram, ['list'], settings, io)
    expect(page).toContain(told.join('\n').replace(resolve('no-such-folder'), '…'))
  })

  test('a program of the tests is missing', () => {
    const redis = {
      name: 'Redis',
      found: [],
      packages: ['redis-server'],
      neededBy: '',
      checks: ['vitest'],
      required: true,
    }
    expect(page).toContain(sentenceFor(['vitest'], [redis]))
  })
})
