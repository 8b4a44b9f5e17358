import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '#lab/statistics/quantile.ts'
import { freePort } from '../../../tests/support/programs/redis-server.ts'

const starts = 5
const askedEveryMilliseconds = 10
const commands = {
  npm: ['npm', 'start'],
  node: [process.execPath, 'dist/server/main.js'],
} as const

/** How long the built server takes to become ready, alternately started by `npm start` and directly by Node. */
export async function benchNpmStart(): Promise<Record<string, number>> {
  const seconds = { npm: [] as number[], node: [] as number[] }
  for (let i = 0; i < starts; i++)
    for (const name of ['npm', 'node'] as const) seconds[name].push(await secondsToReady(commands[name]))
  const [npm, node] = [median(seconds.npm), median(seconds.node)]
  return { 'start.npmSeconds': npm, 'start.nodeSeconds': node, 'start.npmToNode': npm / node }
}

async function secondsToReady([program, ...words]: readonly [string, ...string[]]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-bench-start-'))
  const port = await freePort()
  const started = performance.now()
  // A process group, because npm starts a shell that starts the server.
  const child = spawn(program, words, {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
    detached: true,
  })
  try {
    while (!(await isReady(port))) await pause(askedEveryMilliseconds)
    return (performance.now() - started) / 1000
  } finally {
    process.kill(-child.pid!, 'SIGTERM')
    await once(child, 'exit')
    // npm may end before the server that it started, which still writes into its folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
