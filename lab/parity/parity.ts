import { writeFile } from 'node:fs/promises'
import { showProgress } from '#lab/progress.ts'
import { buildIfStale } from '../../build/built.ts'
import { readWords, wholeNumber } from '../../build/usage.ts'
import { launchBrowser } from '../../e2e/support/browser.ts'
import { type BuiltWorker, startPageWorker, startServerWorker } from '../../e2e/support/built-workers.ts'
import { startProduct } from '../../e2e/support/product.ts'
import type { Analysis, AnalysisStages } from '../../models/rules/analysis.ts'
import { type Differences, differencesOf } from './compare.ts'
import { encodedAs, parityPictures } from './pictures.ts'

const usage = `Usage: npm run parity -- [--pictures 200] [--json FILE]

Sends pictures of all sets through the built workers in Node's native runtime, in its WebAssembly and in Chromium. Fails
if hosts with the same pixels find a different number of faces, give an embedding whose cosine is below 0.9999, or
answer a flag differently. For files that each host decodes itself, differences are only reported.

Builds the product if its sources have changed. --json writes the figures.`

const { values } = readWords(usage, {
  pictures: { type: 'string', default: '200' },
  json: { type: 'string' },
})
const mostPictures = wholeNumber('--pictures', values.pictures)
buildIfStale()

/** The part of the server's answers that a page can compute as well. Pages never look for groups. */
const light: AnalysisStages = {
  ...{ liveness: 'full', embedding: true, demographic: 'light', expression: 'full', eyes: true },
}
const asked = {
  wasm: { ...light, group: 'otherwise', liveness: 'still', demographic: 'full' },
  chromium: light,
} as const
const kinds = ['pixels', 'jpeg'] as const
const others = ['wasm', 'chromium'] as const
type ParityDifferences = Record<`${(typeof others)[number]}.${(typeof kinds)[number]}`, Differences[]>

const pictures = await parityPictures(mostPictures)
const browser = await launchBrowser()
const product = await startProduct()
const native = startServerWorker('native')
const compared: Record<(typeof others)[number], BuiltWorker> = {
  wasm: startServerWorker('wasm'),
  chromium: await startPageWorker(await browser.newPage(), product.address),
}
const measured: ParityDifferences = {
  'wasm.pixels': [],
  'wasm.jpeg': [],
  'chromium.pixels': [],
  'chromium.jpeg': [],
}
let faces = 0
const progress = showProgress('parity', pictures.length)
try {
  for (const path of pictures) {
    for (const kind of kinds) {
      const bytes = await encodedAs(kind, path)
      const see = async (worker: BuiltWorker, wanted: AnalysisStages) =>
        (await worker.analyse(
          bytes,
          kind === 'jpeg' ? 'image/jpeg' : 'image/png',
          wanted,
        )) as unknown as Analysis
      for (const host of others) {
        const own = await see(native, asked[host])
        if (kind === 'pixels' && host === 'wasm' && own.face !== undefined) faces++
        measured[`${host}.${kind}`].push(differencesOf(own, await see(compared[host], asked[host])))
      }
    }
    progress.step()
  }
} finally {
  progress.end()
  await Promise.all([native.stop(), compared.wasm.stop(), browser.close(), product.stop()])
}

const figures: Record<string, number> = { pictures: pictures.length, faces }
for (const [name, differences] of Object.entries(measured)) {
  const most = (value: (one: Differences) => number) =>
    differences.map(value).reduce((worst, found) => (found > worst ? found : worst), 0)
  const count = (value: (one: Differences) => number) => differences.reduce((sum, one) => sum + value(one), 0)
  figures[`${name}.detectionDifferences`] = count(({ detection }) => detection)
  figures[`${name}.flagDifferences`] = count(({ flags }) => flags.length)
  figures[`${name}.leastCosine`] = 1 - most(({ cosineShort }) => cosineShort)
  for (const key of ['boxPixels', 'landmarkPixels', 'live', 'ageYears', 'ageUncertainty', 'male'] as const)
    figures[`${name}.${key}`] = most((one) => one[key])
  for (const key of ['expression', 'eyesClosed', 'poseDegrees'] as const)
    figures[`${name}.${key}`] = most((one) => one[key])
  for (const [i, { detection, flags }] of differences.entries())
    if (detection + flags.length > 0)
      console.log(name, pictures[i], detection ? 'another number of faces' : '', ...flags)
}
print(figures)
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`)
const isSame = others.every(
  (host) =>
    figures[`${host}.pixels.detectionDifferences`] === 0 &&
    figures[`${host}.pixels.flagDifferences`] === 0 &&
    figures[`${host}.pixels.leastCosine`]! >= 0.9999,
)
if (!isSame) process.exitCode = 1

/** Prints one row per figure, with one column per host and kind. */
function print(all: Record<string, number>): void {
  const columns = Object.keys(measured)
  console.log(
    `${all.pictures} pictures, ${all.faces} with a face; the largest difference of each host from Node's native runtime`,
  )
  console.log(''.padEnd(22), ...columns.map((name) => name.padStart(16)))
  const rows = Object.keys(all).filter((name) => name.startsWith(`${columns[0]}.`))
  for (const row of rows.map((name) => name.slice(columns[0]!.length + 1))) {
    const cells = columns.map((column) => all[`${column}.${row}`]!)
    console.log(
      row.padEnd(22),
      ...cells.map((value) => `${Number(value.toPrecision(7))}`.slice(0, 12).padStart(16)),
    )
  }
}
