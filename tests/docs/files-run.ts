import { Session } from 'node:inspector/promises'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '../..')

/** The project files, relative to the root, in which a named function ran during `work`. */
export async function filesRunBy(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const run = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
    )
    return new Set(run.map(({ url }) => relative(root, url.startsWith('file:') ? fileURLToPath(url) : url)))
  } finally {
    session.disconnect()
  }
}
