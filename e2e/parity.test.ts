import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { photograph } from './support/acted/clips.ts'
import { type BuiltWorker, type Seen, startPageWorker, startServerWorker } from './support/built-workers.ts'
import { expect, test } from './support/fixture.ts'
import { isLong, long, some } from './support/length.ts'

/**
 * The built workers on the server and in the page get the same results for the same picture. If a value is within the
 * margin around a threshold, they may decide differently, which is what the margin is for.
 */
const leastCosine = { pixels: 0.9999, jpeg: 0.999 } as const
const margins = {
  pixels: { match: 0.001, live: 0.01, degrees: 0.1, male: 0.005, years: 0.05, points: 0.1 },
  jpeg: { match: 0.01, live: 0.05, degrees: 1, male: 0.03, years: 0.5, points: 1 },
} as const
const thresholds = { match: 0.412, live: 0.4, yaw: 10, pitch: 9, male: 0.5 } as const

const data = join('..', 'shared', 'data')
const hasData = existsSync(data)
const hosts = ['Node native', 'Node wasm', 'Chromium'] as const
type Face = NonNullable<Seen['face']>

/** Pictures of live faces, photographs of faces, and pairs that show one person. The short form uses about half of them. */
function pictures(): string[] {
  if (!hasData) return [photograph]
  const spread = (folder: string, pattern: RegExp, count: number) => {
    const names = readdirSync(join(data, folder))
      .filter((name) => pattern.test(name))
      .sort()
    return Array.from({ length: count }, (_, i) =>
      join(data, folder, names[Math.floor((i * names.length) / count)]!),
    )
  }
  return [
    photograph,
    ...spread(join('liveness', 'nuaa'), /^Client/, isLong ? 4 : 2),
    ...spread(join('liveness', 'nuaa'), /^Imposter/, isLong ? 3 : 1),
    ...spread(join('recognition', 'lfw'), /^(Colin_Powell|Jennifer_Capriati)__/, isLong ? 5 : 3),
  ]
}

// Runs sequentially, so that the workers are started only once.
test.describe.configure({ mode: 'default' })

let workers: BuiltWorker[] = []
test.beforeAll(async ({ site, browser }) => {
  const page = await browser.newPage()
  workers = [
    startServerWorker('native'),
    startServerWorker('wasm'),
    await startPageWorker(page, site.product.address),
  ]
})
test.afterAll(() => Promise.all(workers.map((worker) => worker.stop())))

const about = hasData ? '' : ' (only the astronaut: the others need ../shared/data)'

for (const kind of some(['jpeg', 'pixels'] as const)) {
  test(
    `the same ${kind === 'jpeg' ? 'JPEG file' : 'pixels'} on every host${about}`,
    long,
    async ({ site: _ }, info) => {
      const seen: Face[][] = []
      for (const file of pictures()) {
        const bytes = await encoded(file, kind)
        const faces = []
        const found = new Set<number>()
        for (const worker of workers) {
          const { face, others } = await worker.analyse(bytes, kind === 'jpeg' ? 'image/jpeg' : 'image/png')
          expect(face, `${file} shows a face`).toBeDefined()
          faces.push(face!)
          found.add(others.length)
        }
        expect(found.size, `${file} shows the same number of faces on every host`).toBe(1)
        seen.push(faces)
      }
      for (const [host, name] of hosts.entries()) {
        if (host === 0) continue
        const found = difference(seen, host)
        const text = Object.entries(found).map(([value, most]) => `${value} ${most.toPrecision(2)}`)
        const line = `${name} and ${hosts[0]}, same ${kind}, ${seen.length} pictures: ${text.join(', ')}`
        info.annotations.push({ type: 'parity', description: line })
        console.log(line)
        expect(1 - found.cosineShort).toBeGreaterThanOrEqual(leastCosine[kind])
        expect(found.pairs, 'cosine of two pictures').toBeLessThanOrEqual(margins[kind].match)
        expect(found.live, 'liveness').toBeLessThanOrEqual(margins[kind].live)
        expect(found.degrees, 'pose').toBeLessThanOrEqual(margins[kind].degrees)
        expect(found.male, 'gender').toBeLessThanOrEqual(margins[kind].male)
        expect(found.years, 'age').toBeLessThanOrEqual(margins[kind].years)
        expect(found.points, 'pixels of the landmarks').toBeLessThanOrEqual(margins[kind].points)
      }
      console.log(`margins, same ${kind}: ${JSON.stringify(margins[kind])}`)
      expect(disagreements(seen, margins[kind])).toEqual([])
    },
  )
}

async function encoded(file: string, kind: 'pixels' | 'jpeg'): Promise<Buffer> {
  const bytes = readFileSync(file)
  if (kind === 'pixels') return sharp(bytes).removeAlpha().png().toBuffer()
  return file.endsWith('.jpg') ? bytes : sharp(bytes).removeAlpha().jpeg({ quality: 90 }).toBuffer()
}

/** The largest difference between any host and the first one. */
function difference(seen: readonly Face[][], host: number) {
  const most = (of: (own: Face, other: Face) => number) =>
    Math.max(...seen.map((faces) => of(faces[0]!, faces[host]!)))
  const pairs = pairsOf(seen).map(([a, b]) =>
    Math.abs(cosine(a[0]!.embedding, b[0]!.embedding) - cosine(a[host]!.embedding, b[host]!.embedding)),
  )
  return {
    cosineShort: most((own, other) => 1 - cosine(own.embedding, other.embedding)),
    pairs: Math.max(0, ...pairs),
    live: most((own, other) => Math.abs(liveOf(own) - liveOf(other))),
    degrees: most((own, other) =>
      Math.max(Math.abs(own.pose.yaw - other.pose.yaw), Math.abs(own.pose.pitch - other.pose.pitch)),
    ),
    male: most((own, other) => Math.abs(own.gender.male - other.gender.male)),
    years: most((own, other) => Math.abs(own.age.prediction - other.age.prediction)),
    points: most((own, other) =>
      Math.max(...Array.from(own.landmarks, (value, i) => Math.abs(value - other.landmarks[i]!))),
    ),
    expression: most((own, other) =>
      Math.max(
        ...Object.entries(own.expressions).map(([name, share]) => Math.abs(share - other.expressions[name]!)),
      ),
    ),
  }
}

/** Decisions that differ even though no value is within the margin around the threshold. */
function disagreements(seen: readonly Face[][], margin: (typeof margins)['pixels' | 'jpeg']): string[] {
  const differ = (values: readonly number[], threshold: number, within: number) =>
    values.every((value) => Math.abs(value - threshold) > within) &&
    new Set(values.map((value) => value >= threshold)).size > 1
  const faces = seen.flatMap((ofHosts, picture) => {
    const checks = {
      live: differ(ofHosts.map(liveOf), thresholds.live, margin.live),
      yaw: differ(
        ofHosts.map(({ pose }) => Math.abs(pose.yaw)),
        thresholds.yaw,
        margin.degrees,
      ),
      pitch: differ(
        ofHosts.map(({ pose }) => Math.abs(pose.pitch)),
        thresholds.pitch,
        margin.degrees,
      ),
      male: differ(
        ofHosts.map(({ gender }) => gender.male),
        thresholds.male,
        margin.male,
      ),
    }
    return Object.entries(checks).flatMap(([name, differs]) => (differs ? [`${name} of ${picture}`] : []))
  })
  const pairs = pairsOf(seen).filter(([a, b]) =>
    differ(
      hosts.map((_, host) => cosine(a[host]!.embedding, b[host]!.embedding)),
      thresholds.match,
      margin.match,
    ),
  )
  return [...faces, ...pairs.map(() => 'match of a pair')]
}

function pairsOf<T>(list: readonly T[]): (readonly [T, T])[] {
  return list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b] as const))
}

/** Liveness as it is judged for a clean picture. */
function liveOf({ live }: Face): number {
  return Math.min(live.raw, live.blurred)
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
