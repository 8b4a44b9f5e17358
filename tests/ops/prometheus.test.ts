import '../long-alone.ts'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { endOf } from '../support/programs/process-group.ts'
import { freePort } from '../support/programs/redis-server.ts'
import { startProcess, stillLoading } from '../support/programs/server-process.ts'
import { alertRules } from './alert-rules.ts'

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
const needsPrometheus = hasPrometheus ? '' : ' (needs prometheus, which is absent)'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
}, 30_000)

/** Starts Prometheus with ops/prometheus.yaml and a server as its target. Returns a function that reads its API. */
async function collect(target: string, token: string) {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-prometheus-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const config = readFileSync('ops/prometheus.yaml', 'utf8')
    .replace('/etc/prometheus/alerts.yaml', resolve('ops/alerts.yaml'))
    .replaceAll('/tmp/', `${folder}/`)
    .replaceAll(/_interval: 15s/g, '_interval: 1s')
  writeFileSync(join(folder, 'prometheus.yaml'), config)
  writeFileSync(join(folder, 'metrics-token'), token)
  writeFileSync(join(folder, 'targets.json'), JSON.stringify([{ targets: [target] }]))
  const address = `127.0.0.1:${await freePort()}`
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(prometheus, 'exit')
  closers.push(async () => {
    prometheus.kill('SIGKILL')
    await ended
  })
  return async (path: string) => {
    const answer = await fetch(`http://${address}/api/v1/${path}`).catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as { data: never }).data : undefined
  }
}

interface Targets {
  readonly activeTargets: readonly { readonly health: string; readonly labels: object }[]
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly name: string }[] }[]
}

describe.skipIf(!hasPrometheus)(`Prometheus with what is in ops/${needsPrometheus}`, () => {
  const token = 'a-token-of-a-collector'
  const start = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'selfsame-collected-'))
    closers.push(() => rmSync(folder, { recursive: true, force: true }))
    const settings = { DATA_DIR: folder, DEMO: 'false', METRICS_TOKEN: token }
    const server = await startProcess({ ...settings, ...stillLoading })
    closers.push(() => endOf(server))
    return new URL(server.origins[0]!).host
  }
  const healthOf = async (read: Awaited<ReturnType<typeof collect>>) => {
    const targets = (await read('targets')) as Targets | undefined
    return targets?.activeTargets.map(({ health, labels }) => ({ health, labels }))
  }

  test('scrapes a server with its token, and evaluates every alert', async () => {
    const host = await start()
    const read = await collect(host, token)
    const isUp = [{ health: 'up', labels: { instance: host, job: 'selfsame' } }]
    await expect.poll(() => healthOf(read), { timeout: 30_000 }).toEqual(isUp)
    const rules = (await read('rules')) as Rules | undefined
    const names = rules?.groups.flatMap((group) => group.rules.map(({ name }) => name))
    expect(names?.sort()).toEqual(alertRules.map(({ name }) => name).sort())
  }, 60_000)

  test('gets nothing with another token', async () => {
    const read = await collect(await start(), 'another-token-of-some-length')
    await expect
      .poll(async () => (await healthOf(read))?.map(({ health }) => health), { timeout: 30_000 })
      .toEqual(['down'])
  }, 60_000)
})
