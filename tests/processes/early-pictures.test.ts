import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { initRedirectSession, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { Problem } from '#shared/problem.ts'
import { isLong } from '../../e2e/support/length.ts'
import { type ServerProcess, startProcess } from '../support/programs/server-process.ts'
import { type StoreServer, storeServers } from '../support/programs/store-server.ts'
import { consent } from '../support/visit.ts'

const places: readonly (readonly [string, (typeof storeServers)[number][1] | undefined])[] = [
  ['the embedded store', undefined],
  ...(isLong ? storeServers : []),
]

interface Frame {
  readonly bytes: string
  readonly time: number
}

let frames: Frame[]
beforeAll(async () => {
  const photograph = await readFile('tests/support/pictures/astronaut.png')
  frames = []
  for (const [i, quality] of [95, 90, 85, 80, 75].entries()) {
    const jpeg = await sharp(photograph).flatten().jpeg({ quality }).toBuffer()
    frames.push({ bytes: jpeg.toString('base64'), time: i * 100 })
  }
})

describe.each(places)('pictures handed in to processes that end, on %s', (_name, kind) => {
  if (kind?.isMissing) return test.skip(`needs ${kind.name}`, () => undefined)
  let folder: string
  let server: StoreServer | undefined
  const processes: ServerProcess[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selfsame-early-'))
    server = await kind?.start()
  })
  afterAll(async () => {
    for (const { child, stop } of processes)
      if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function start(): Promise<ServerProcess> {
    const started = await startProcess({
      DATA_DIR: folder,
      SECRET: 'a secret of thirty-two characters',
      // Tokens name their issuer, which would otherwise change with the port.
      SECURITY_URL: 'http://127.0.0.1:1',
      DEMO: 'false',
      ...(server && { STORE: server.address }),
    })
    processes.push(started)
    await started.ready()
    return started
  }

  test('are judged as if one had received them all, and are not analysed twice', async () => {
    const first = await start()
    const { apiKey } = first
    const verificationConfig = { verifierConfigs: { age: { type: 'CalculationOnly' as const } } }
    const { verificationId } = await first.call(createVerification, {
      body: { name: 'early', verificationConfig },
    })
    const signed = await first.call(createSignature, { body: { queryString: '' } })
    const body = { verificationId, queryString: signed.signedQueryString }
    const [early, whole] = [
      await first.call(initRedirectSession, { body }),
      await first.call(initRedirectSession, { body }),
    ]
    const handIn = (process: ServerProcess, batch: number, own: readonly Frame[]) =>
      process.call(submitPictures, {
        bearer: early.sessionToken,
        body: { step: 0, batch, frames: [...own] },
      })
    const batches = [frames.slice(0, 2), frames.slice(2)] as const

    await handIn(first, 1, batches[0])
    expect(await first.stop('SIGTERM')).toBe(0)

    const second = await start()
    await handIn(second, 2, batches[1])
    await second.stop('SIGKILL')

    const third = await start()
    const before = await analysesOf(third, apiKey)
    // The page has no answer to the second batch, and sends it again before anybody can know that its process is dead.
    for (const [i, batch] of batches.entries()) expect(await handIn(third, i + 1, batch)).toEqual({})
    const closed = await whenServed(() =>
      third.call(submitStep, { bearer: early.sessionToken, body: { step: 0, frames: [] } }),
    )
    expect(closed).toEqual({ next: null, accepted: true })
    const submission = { frames: [], consent }
    await third.call(submitSession, { bearer: early.sessionToken, body: submission })
    // Each of its pictures, and one of them again to count other faces.
    expect((await analysesOf(third, apiKey)) - before).toBe(batches[1].length + 1)

    const inOneBody = { step: 0, frames }
    await third.call(submitStep, { bearer: whole.sessionToken, body: inOneBody })
    await third.call(submitSession, { bearer: whole.sessionToken, body: submission })
    const outcomeOf = async ({ verificationSessionId }: typeof early) => {
      const query = { verificationSessionId }
      const { verificationResult, verificationFailedReasons, estimatedAge, totalFaceCount } =
        await third.call(getSessionResult, { apiKey, query })
      return { verificationResult, verificationFailedReasons, estimatedAge, totalFaceCount }
    }
    expect(await outcomeOf(early)).toEqual(await outcomeOf(whole))
    expect(await outcomeOf(early)).toMatchObject({
      verificationResult: 'Pass',
      estimatedAge: expect.any(Number),
    })
  })
})

/** How many pictures a process has analysed. */
async function analysesOf({ origins }: ServerProcess, apiKey: string): Promise<number> {
  const headers = { authorization: `ApiKey ${apiKey}` }
  const figures = await (await fetch(`${origins[0]}/metrics`, { headers })).text()
  const counts = figures.matchAll(/^selfsame_analysis_duration_seconds_count\{.*outcome="done".*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Asks again as often as the server says that it is too early. */
async function whenServed<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Problem && error.status === 503)) throw error
      await new Promise((over) => setTimeout(over, 1000 * (error.retryAfterInSeconds ?? 1)))
    }
  }
}
