import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '#lab/statistics/quantile.ts'
import { openServices } from '../../../server/app/opening.ts'
import { readSettings } from '../../../server/app/settings.ts'
import { startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { processorTimeOf } from '../processor-time.ts'
import { makeEntries } from './audit-entries.ts'
import { benchNpmStart } from './npm-start.ts'

const starts = 3
const askedEveryMilliseconds = 20
/** By this time, the server has compared the logs, which it does in the background after starting. */
const comparedWithinMilliseconds = 5000

/**
 * `npm run bench -- start [--sizes 1k,5M]`: how long the server takes to become ready, and how much processor time it uses until it has also
 * compared the audit logs, for each number of entries in an account's log. Also compares `npm start` with `node dist/server/main.js`, and measures
 * nothing else with `--sizes none`.
 */
export async function benchStart({ sizes = '1k,5M' }: { sizes?: string | undefined }) {
  const figures = await benchNpmStart()
  for (const name of sizes.split(',').filter((size) => size !== 'none'))
    Object.assign(figures, await measure(name, countOf(name)))
  return figures
}

async function measure(name: string, entries: number): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-bench-start-'))
  try {
    const bytes = await fill(folder, entries)
    const ready: number[] = []
    const processor: number[] = []
    for (let i = 0; i < starts; i++) {
      const started = await startOnce(folder)
      ready.push(started.seconds)
      processor.push(started.processorSeconds)
    }
    return {
      [`start.${name}.secondsToReady`]: median(ready),
      [`start.${name}.processorSeconds`]: median(processor),
      [`start.${name}.bytesAnEntry`]: bytes / entries,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the segments' size in bytes. */
async function fill(folder: string, entries: number): Promise<number> {
  const settings = readSettings({ DATA_DIR: folder })
  const { services, close } = await openServices(settings, true)
  const { account } = await services.accounts.create('Bench')
  await services.auditLog.move('all')
  const before = performance.now()
  await makeEntries(services.auditLog.book, account.accountId, entries)
  console.log(`${entries} entries made in ${((performance.now() - before) / 1000).toFixed(1)} s`)
  await close()
  const own = join(settings.upkeep.auditDir, account.accountId)
  const sizes = await Promise.all(
    (await readdir(own)).map(async (file) => (await stat(join(own, file))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function startOnce(folder: string): Promise<{ seconds: number; processorSeconds: number }> {
  const started = performance.now()
  const server = await startBuiltServer({ DATA_DIR: folder, FIRST_API_KEY: 'x'.repeat(43) }, [], {
    needsKey: false,
  })
  try {
    while (!(await fetch(`${server.origin}/v1/readyz`)).ok) await pause(askedEveryMilliseconds)
    const seconds = (performance.now() - started) / 1000
    await pause(comparedWithinMilliseconds)
    const rolledBack = server.log.filter((line) => line.includes('audit_rolled_back'))
    if (rolledBack.length > 0) throw new Error(`The start found: ${rolledBack[0]}`)
    return { seconds, processorSeconds: (processorTimeOf(server.pid) ?? Number.NaN) / 1e6 }
  } finally {
    await server.stop()
  }
}

/** Parses a size such as `1k` or `5M`. */
export function countOf(size: string): number {
  const factor = size.endsWith('M') ? 1e6 : size.endsWith('k') ? 1000 : 1
  return Number.parseFloat(size) * factor
}
