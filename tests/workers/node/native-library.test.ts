import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { loadNativeLibrary, refuseTelemetry } from '#workers/node/native-library.ts'

const refusal = 'ORT_DISABLE_TELEMETRY'
const source = new URL('../../../workers/node/native-library.ts', import.meta.url).href
afterEach(() => vi.unstubAllEnvs())

/** The process environment as native libraries see it. A thread's `process.env` is only a copy. */
const toldToLibraries = () =>
  (process.report.getReport() as unknown as { environmentVariables: Record<string, string> })
    .environmentVariables[refusal]

/** Loads the library in a thread that has this environment. Returns its output. */
function loadInThread(env?: NodeJS.ProcessEnv): Promise<string> {
  const program = `
    const { parentPort } = require('node:worker_threads')
    import('tsx/esm/api')
      .then(({ register }) => { register(); return import('${source}') })
      .then(({ loadNativeLibrary }) => loadNativeLibrary())
      .then(() => 'loaded', ({ message }) => message)
      .then((said) => parentPort.postMessage(said))`
  const worker = new Worker(program, { eval: true, ...(env && { env }) })
  return new Promise((done, failed) => worker.once('message', done).once('error', failed))
}

test.each([undefined, '0', ''])(
  'is silenced before it is loaded, even if the operator had set %j',
  async (value) => {
    vi.stubEnv(refusal, value)
    await loadNativeLibrary()
    expect([process.env[refusal], toldToLibraries()]).toEqual(['1', '1'])
  },
)

test('is not loaded by a thread whose process has not silenced it', async () => {
  const env = { ...process.env }
  delete env[refusal]
  expect(await loadInThread(env)).toBe('the main thread must disable telemetry before it starts this one')
  refuseTelemetry()
  expect(await loadInThread()).toBe('loaded')
})
