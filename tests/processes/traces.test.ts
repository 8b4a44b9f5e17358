import '../long-alone.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { getUtcNow } from '#shared/contract/security/security.ts'
import { endOf } from '../support/programs/process-group.ts'
import { type ReceiverAnswer, startReceiver } from '../support/programs/receiver.ts'
import { launch, startProcess, stillLoading } from '../support/programs/server-process.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
}, 60_000)

async function settingsFor(answers: readonly ReceiverAnswer[]) {
  const collector = await startReceiver(answers)
  closers.push(collector.close)
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-traces-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const endpoint = new URL(collector.address).origin
  return {
    collector,
    settings: { DATA_DIR: folder, DEMO: 'false', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  }
}

test.each([
  ['takes', []],
  ['never takes', Array<ReceiverAnswer>(50).fill('hang')],
])(
  'a process sends its spans, and stops in order, if the collector %s them',
  async (_words, answers) => {
    const { collector, settings } = await settingsFor(answers)
    const server = await startProcess({ ...settings, ...stillLoading })
    closers.push(() => endOf(server))
    await server.call(getUtcNow, {})
    expect(await server.stop('SIGTERM')).toBe(0)
    const sent = collector.received.map(({ body }) => body).join('\n')
    expect(sent).toContain('"name":"GET /v1/datetime/utc-now"')
    expect(sent).not.toContain(server.apiKey)
  },
  60_000,
)

/** Replaced with a package that does not exist. */
const withoutPackage = `export const resolve = (name, context, next) =>
  next(name === '@opentelemetry/sdk-trace' ? '@opentelemetry/absent' : name, context)`
const hooking = `import { register } from 'node:module'
  register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(withoutPackage))})`

test('a start fails with a message if a collector is set and the packages are missing; without a collector it does not need them', async () => {
  const { settings } = await settingsFor([])
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooking)}`
  const refused = await text(launch({ ...settings, NODE_OPTIONS }).stderr!)
  expect(refused).toContain('the packages that send traces are not installed')
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _left, ...others } = settings
  const server = await startProcess({ ...others, NODE_OPTIONS })
  closers.push(() => endOf(server))
  await server.call(getUtcNow, {})
}, 60_000)
