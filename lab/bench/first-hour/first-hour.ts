import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createClient } from '../../../shared/client/client.ts'
import { freePort } from '../../../tests/support/programs/redis-server.ts'

const run = promisify(execFile)

/** A program that the reader starts, and the lines that it has printed so far. */
interface StartedProgram {
  printed(pattern: RegExp): Promise<string>
  stop(): Promise<unknown>
}

/** How many seconds each part of the first hour takes, and the total from the clone to the first webhook. */
interface Laps {
  readonly clone: number
  readonly install: number
  readonly start: number
}

/**
 * Follows the README in a new clone as fast as possible: installs and starts the product, creates a test key and an endpoint, runs the README's
 * program and its Python version, and completes a test visit with each. Downloads may come from npm's cache.
 */
export async function benchFirstHour(): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-first-hour-'))
  const env = { ...process.env, PORT: String(await freePort()), LOG_LEVEL: 'silent' }
  const laps = { clone: 0, install: 0, start: 0 }
  laps.clone = await secondsOf(() => run('git', ['clone', '--quiet', process.cwd(), folder]))
  const install = [
    'ci',
    '--ignore-scripts',
    '--workspaces=false',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]
  laps.install = await secondsOf(() => run('npm', install, { cwd: folder, env }))
  const server = start(['npm', 'start'], folder, env)
  try {
    laps.start = await secondsOf(() => server.printed(/^Selfsame is ready at (\S+)\//))
    const origin = await server.printed(/^Selfsame is ready at (\S+)\//)
    await writeFile(join(folder, 'welcome.mjs'), await programOfReadme())
    const node = await secondsOf(() => firstWebhook(folder, env, origin, ['node', 'welcome.mjs']))
    const python = await secondsOf(() =>
      firstWebhook(folder, env, origin, ['python3', 'examples/python/welcome.py']),
    )
    return figuresOf(laps, node, python)
  } finally {
    await server.stop()
    // npm exits before the server, which is still closing its store.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
  }
}

function figuresOf({ clone, install, start: started }: Laps, node: number, python: number) {
  const before = clone + install + started
  return {
    'firstHour.cloneSeconds': clone,
    'firstHour.installSeconds': install,
    'firstHour.startSeconds': started,
    'firstHour.toWebhookSeconds': before + node,
    'firstHour.toWebhookFromPythonSeconds': before + python,
  }
}

async function programOfReadme(): Promise<string> {
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(await readFile('README.md', 'utf8'))!
  return code!
}

/** From creating a test key until a program prints the line for the webhook of its first visit. */
async function firstWebhook(
  folder: string,
  env: NodeJS.ProcessEnv,
  origin: string,
  command: readonly string[],
): Promise<void> {
  const port = String(await freePort())
  const account = (...words: string[]) =>
    run('npm', ['run', '--silent', 'account', '--', ...words, '--mode', 'test', '--json'], {
      cwd: folder,
      env,
    })
  const key = await account('create-key', `first ${port}`, '--scopes', 'configure')
  const hook = `http://127.0.0.1:${port}/hook`
  const endpoint = await account('create-endpoint', hook, '--events', 'VerificationCompleted')
  const apiKey = memberOf(key.stdout, 'apiKey')
  const program = start(command, folder, {
    ...env,
    PORT: port,
    SELFSAME_URL: origin,
    SELFSAME_API_KEY: apiKey,
    SELFSAME_WEBHOOK_SECRET: memberOf(endpoint.stdout, 'secret'),
  })
  try {
    const { pathname, search } = new URL(await program.printed(/^Open (\S+)$/))
    const { configuration } = createClient({ origin, apiKey })
    const verificationId = pathname.split('/').at(-1)!
    const visit = await configuration.initRedirectSession({ verificationId, queryString: search })
    const { verificationSessionId } = visit
    await configuration.completeTestSession({ verificationSessionId, testOutcome: { result: 'passed' } })
    await program.printed(/^(\S+ Pass \[\])$/)
  } finally {
    await program.stop()
  }
}

function memberOf(json: string, name: string): string {
  const [, value] = new RegExp(`"${name}": ?"([^"]+)"`).exec(json) ?? []
  if (value === undefined) throw new Error(`The command printed no ${name}: ${json}`)
  return value
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Starts a command in its own process group, since npm starts a shell that starts the program. */
function start(
  [command = '', ...words]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): StartedProgram {
  const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const lines: string[] = []
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return {
    async printed(pattern) {
      for (;;) {
        const found = lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])[0]
        if (found !== undefined) return found
        if (child.exitCode !== null)
          throw new Error(`${command} ended without ${pattern}:\n${lines.join('\n')}`)
        await Promise.race([once(reader, 'line'), once(child, 'exit')])
      }
    },
    async stop() {
      if (isOver()) return
      process.kill(-child.pid!, 'SIGTERM')
      await once(child, 'exit')
    },
  }
}
