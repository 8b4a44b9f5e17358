import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScriptTarget, transpileModule } from 'typescript'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reactionInMilliseconds } from '#models/rules/challenge/step-judgement.ts'
import { type Client, createClient } from '#shared/client/client.ts'
import { some } from '../../e2e/support/length.ts'
import { examplesOf, readPage } from '../support/document-pages.ts'
import { frameOf } from '../support/drawn/fake-picture.ts'
import { haveShown } from '../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../support/host.ts'
import { ensureBuiltClient } from '../support/programs/built-client.ts'
import { type ExampleProgram, runExample } from '../support/programs/example-program.ts'
import { freePort } from '../support/programs/redis-server.ts'
import { startProcess, stillLoading } from '../support/programs/server-process.ts'
import { consent } from '../support/visit.ts'

// Drawn people send no film.
beforeAll(() => haveShown())

const [code = ''] = examplesOf(readPage('README.md'), 'ts')

/** A server and its cleanup. */
interface Served {
  readonly origin: string
  readonly apiKey: string
}

const undo: (() => unknown)[] = []
beforeAll(ensureBuiltClient, 180_000)
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** The product in a separate process, with a store on disk. */
async function serveProduct(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-welcome-'))
  const { origins, apiKey, stop } = await startProcess({ ...stillLoading, DATA_DIR: folder })
  undo.push(() => rmSync(folder, { recursive: true }))
  undo.push(() => stop('SIGTERM'))
  return { origin: origins[0]!, apiKey }
}

/** The same server with an analysis that reads drawn scenes, because a Pass would otherwise require a living person. */
async function serveDrawnPeople(): Promise<Host> {
  const host = await startHost()
  undo.push(() => host.close())
  return host
}

/** Runs the README's program the way a reader would, and returns the link that it prints. */
async function runProgram({ origin, apiKey }: Served) {
  const selfsame = createClient({ origin, apiKey })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hook`
  const { secret } = await selfsame.configuration.createWebhookEndpoint({
    url,
    events: ['VerificationCompleted'],
  })
  const program = await runExample(code, {
    SELFSAME_URL: origin,
    SELFSAME_API_KEY: apiKey,
    SELFSAME_WEBHOOK_SECRET: secret,
    PORT: String(port),
  })
  undo.push(program.stop)
  const [, link] = await program.printed(/^Open (\S+)$/)
  return { selfsame, program, link: link! }
}

/** Does the same and opens the link. */
async function follow(served: Served) {
  const { selfsame, program, link } = await runProgram(served)
  const { pathname, search } = new URL(link)
  const verificationId = pathname.split('/').at(-1)!
  const opened = await selfsame.configuration.initRedirectSession({ verificationId, queryString: search })
  return { selfsame, program, session: selfsame.session(opened.sessionToken) }
}

async function wordsAt(address: string, init?: RequestInit) {
  const response = await fetch(address, init)
  return { status: response.status, words: await response.text() }
}

/** The event was accepted, so its signature is valid. Any other event gets a 401. */
async function expectDelivered(selfsame: Client, program: ExampleProgram, line: RegExp) {
  await program.printed(line)
  await expect
    .poll(async () => {
      const { deliveries } = await selfsame.configuration.getDeliveries({})
      return deliveries.map(({ state, attempts }) => [state, attempts.map(({ status }) => status)])
    })
    .toEqual([['delivered', [204]]])
}

/** The code that docs/integrate.md recommends for CI, using this client. */
function comeBackOf(trial: Client): (link: string, result: string) => Promise<string> {
  const example = examplesOf(readPage('docs/integrate.md'), 'ts').find((one) =>
    one.includes('function comeBack('),
  )
  const { outputText } = transpileModule(example!, { compilerOptions: { target: ScriptTarget.ES2022 } })
  return new Function('trial', `${outputText}; return comeBack`)(trial)
}

describe('the program of the README', () => {
  const results = [
    ['passed', 'Welcome, Ada.', /^[0-9a-f]{32} Pass \[\]$/],
    ['livenessFailed', 'Sorry, Ada. That did not work.', /^[0-9a-f]{32} Fail \[ 'livenessFailed' \]$/],
  ] as const
  test.each(some(results))(
    'with a test key finishes as its CI asks, without a camera: %s',
    async (result, words, line) => {
      const { origin, apiKey } = await serveProduct()
      const admin = createClient({ origin, apiKey })
      const body = { name: 'CI', scopes: ['admin', 'configure'], mode: 'test' } as const
      const test = await admin.configuration.createKey({ ...body, scopes: [...body.scopes] })
      const { selfsame, program, link } = await runProgram({ origin, apiKey: test.apiKey })
      expect(await comeBackOf(selfsame)(link, result)).toBe(words)
      await expectDelivered(selfsame, program, line)
      expect((await admin.configuration.getSessions({ limit: 20 })).sessions).toEqual([])
    },
    120_000,
  )

  test('greets a person who declined, by the real server', async () => {
    const { selfsame, program, session } = await follow(await serveProduct())
    const { redirectUrl } = await session.submitSession({ frames: [], consent: { ...consent, given: false } })
    expect(redirectUrl).toContain(`${program.origin}/sorry?`)
    expect(await wordsAt(redirectUrl!)).toEqual({ status: 200, words: 'Sorry, Ada. That did not work.' })
    await expectDelivered(selfsame, program, /^[0-9a-f]{32} Fail \[ 'consentDeclined' \]$/)
  })

  test('greets a person who passed', async () => {
    const host = await serveDrawnPeople()
    const { selfsame, program, session } = await follow(host)
    const scene = { person: 'anna' }
    const { next } = await session.submitStep({ step: 0, frames: [frameOf(scene)] })
    host.pass(reactionInMilliseconds)
    await session.submitStep({ step: 1, frames: [frameOf({ ...scene, acted: next!.action })] })
    const frames = [{ ...frameOf(scene), challengeStep: 0 }]
    const { redirectUrl } = await session.submitSession({ frames, consent })
    expect(redirectUrl).toContain(`${program.origin}/welcome?`)
    expect(await wordsAt(redirectUrl!)).toEqual({ status: 200, words: 'Welcome, Ada.' })
    await expectDelivered(selfsame, program, /^[0-9a-f]{32} Pass \[\]$/)
  })

  test('trusts neither an altered address nor an unsigned event', async () => {
    const { program, session } = await follow(await serveDrawnPeople())
    const declined = { frames: [], consent: { ...consent, given: false } }
    const { redirectUrl } = await session.submitSession(declined)
    const stranger = { status: 403, words: 'We did not send you.' }
    expect(await wordsAt(redirectUrl!.replace('=failed', '=passed'))).toEqual(stranger)
    expect(await wordsAt(`${program.origin}/welcome`)).toEqual(stranger)
    const event = JSON.stringify({ event: 'VerificationCompleted', verificationSessionId: 'a' })
    expect((await wordsAt(`${program.origin}/hook`, { method: 'POST', body: event })).status).toBe(401)
    expect((await wordsAt(`${program.origin}/`)).status).toBe(404)
  })
})
