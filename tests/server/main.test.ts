import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '#shared/call.ts'
import { createSignature, validateSignature } from '#shared/contract/signature.ts'

let folder: string
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-main-'))
})
afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function launch(env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

/** The lines that are printed until the server is ready. */
async function start(env: Record<string, string> = {}) {
  const child = launch(env)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    if (line.startsWith('Demo: ')) break
  }
  return { child, lines, origin: lines[0]!.replace('Selfsame is ready at ', '').replace(/\/$/, '') }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = await exit
  return code as number | null
}

describe('the server', () => {
  test('prints the address, the key once and the demo; keeps everything over a kill and a stop', async () => {
    const first = await start()
    expect(first.lines).toEqual([
      expect.stringMatching(/^Selfsame is ready at http:\/\/127\.0\.0\.1:\d+\/$/),
      expect.stringMatching(/^API key: [\w-]{43}$/),
      `Demo: ${first.origin}/demo`,
    ])
    const credential = { apiKey: first.lines[1]!.replace('API key: ', '') }
    const body = { queryString: 'a=1' }
    const { signedQueryString: queryString } = await call(fetch, first.origin, createSignature, {
      credential,
      body,
    })
    expect(await stop(first.child, 'SIGKILL')).toBeNull()

    const second = await start()
    expect(second.lines[1]).toBe('API key: was printed at the first start')
    const answer = await call(fetch, second.origin, validateSignature, { credential, body: { queryString } })
    expect(answer.result).toBe('Valid')
    expect(await stop(second.child, 'SIGTERM')).toBe(0)
  })

  test('keeps its secret to its owner, and does not start where others may read it', async () => {
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['secret', 'store']))
    const path = join(folder, 'secret')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await chmod(path, 0o644)
    const [code] = await once(launch(), 'exit')
    expect(code).not.toBe(0)
    await chmod(path, 0o600)
  })

  test('does not start on the store of another region, or with a wrong setting', async () => {
    expect((await once(launch({ REGION: 'US' }), 'exit'))[0]).not.toBe(0)
    expect((await once(launch({ PORT: 'x' }), 'exit'))[0]).not.toBe(0)
  })
})
