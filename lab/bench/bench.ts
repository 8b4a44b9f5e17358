import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { benchActed } from './acted.ts'
import { benchApi } from './api.ts'
import { benchCapture } from './capture.ts'
import { benchKiosk } from './kiosk.ts'
import { benchPictureMemory } from './picture-memory.ts'
import { benchPipeline } from './pipeline.ts'
import { benchPrecision } from './precision.ts'
import { benchSearch, type SearchOptions } from './search.ts'

/**
 * `npm run bench -- NAME [--json FILE]`: prints figures, and writes them as one flat object of numbers. The other options
 * are of `search`.
 */
const benches: Record<string, (options: SearchOptions) => Promise<Record<string, number>>> = {
  acted: benchActed,
  api: benchApi,
  capture: benchCapture,
  kiosk: benchKiosk,
  'picture-memory': benchPictureMemory,
  pipeline: benchPipeline,
  precision: benchPrecision,
  search: benchSearch,
}

const text = { type: 'string' } as const
const { values, positionals } = parseArgs({
  options: { json: text, sizes: text, rivals: text, load: text, data: text },
  allowPositionals: true,
})
const run = benches[positionals[0] ?? '']
if (run === undefined) {
  console.error(
    `Usage: npm run bench -- NAME [--json FILE], where NAME is one of ${Object.keys(benches).join(', ')}`,
  )
  process.exit(2)
}
const figures = await run(values)
for (const [name, value] of Object.entries(figures)) {
  // The count and the interval of a figure stand beside it already, where it has them.
  if (/\.(n|low|high)$/.test(name)) continue
  console.log(name.padEnd(36), Number.isInteger(value) ? value.toLocaleString('en-GB') : value.toFixed(2))
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`)
