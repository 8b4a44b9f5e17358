import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BillComponent, sbom } from '../sbom.ts'
import { licenceFaults } from './licences.ts'
import { readProjectManifest } from './release-contents.ts'
import { type ShippedPackage, shippedPackages } from './shipped-package.ts'
import { changelogVersions, versionFaults, versionPlaces } from './version-places.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const stores = 'tests/support/stores'

/** The tests that open the stores of earlier releases, their backups, archives and exports. */
const openings = ['tests/processes/released-stores.test.ts', 'tests/processes/released-files.test.ts']

/** Runs every check, prints its faults, and then what a maintainer has to do. Returns true if there are no faults. */
export function checkRelease(): boolean {
  const { version } = readProjectManifest()
  const packages = shippedPackages()
  const checks: readonly (readonly [name: string, faults: () => readonly string[]])[] = [
    ['All places name this version', () => versionFaults(versionPlaces(read))],
    ['The packages are those of the lock file', () => packages.flatMap(({ outdated }) => outdated ?? [])],
    ['Every package may be passed on', () => licenceFaults(packages)],
    ['Every network has its weights, its card and its licence', networkFaults],
    ['The bill of materials is whole', () => billFaults(sbom().components, packages)],
    [
      'Every earlier version has a store of each kind',
      () => storeFaults(changelogVersions(read).slice(1), readdirSync(stores)),
    ],
    ['They open', openingFaults],
  ]
  const faults = checks.flatMap(([name, faultsOf]) => {
    const found = faultsOf()
    console.log(`${found.length === 0 ? 'ok   ' : 'FAULT'} ${name}`)
    for (const fault of found) console.log(`        ${fault}`)
    return found
  })
  const isFirst = !readdirSync(stores).some((file) => file.startsWith(`${version}.`))
  console.log(`\n${faults.length === 0 ? stepsOf(version, isFirst) : 'Not to be released like this.'}`)
  return faults.length === 0
}

interface Network {
  readonly file: string
  readonly sha256: string
  readonly card: string
}

function networkFaults(): string[] {
  const { models } = JSON.parse(read('models/weights/manifest.json')) as { models: Record<string, Network> }
  return Object.entries(models).flatMap(([name, { file, sha256, card }]) => {
    const path = join('models/weights', file)
    if (!existsSync(path)) return `${name} has no ${path}`
    if (createHash('sha256').update(readFileSync(path)).digest('hex') !== sha256)
      return `${path} is not the file of the manifest`
    const [, licence] = /`(licences\/[\w.-]+\.txt)`/.exec(read(join('models', card))) ?? []
    return licence !== undefined && existsSync(join('models/weights', licence))
      ? []
      : `models/${card} names no licence that is there`
  })
}

/** Shipped packages that a bill of materials lacks, or describes in part. */
export function billFaults(
  components: readonly BillComponent[],
  packages: readonly ShippedPackage[],
): string[] {
  const byRef = new Map(components.map((one) => [one['bom-ref'], one]))
  return packages.flatMap(({ name, version }) => {
    const component = byRef.get(`${name}@${version}`)
    if (component === undefined) return `${name} ${version} is not in it`
    return component.hashes?.length && component.licenses !== undefined
      ? []
      : `${name} ${version} has no hash or no licence in it`
  })
}

/** Stores that are missing in tests/support/stores: every release leaves one of each kind there for later ones to open. */
export function storeFaults(versions: readonly string[], files: readonly string[]): string[] {
  const kept = files.flatMap((file) => {
    const [, version, kind] = /^(\d+\.\d+\.\d+)\.([\w-]+)\.tar\.br$/.exec(file) ?? []
    return version === undefined ? [] : [{ version, kind: kind! }]
  })
  const kinds = [...new Set(kept.map(({ kind }) => kind))]
  if (kinds.length === 0) return ['there is none']
  return versions.flatMap((version) =>
    kinds
      .filter((kind) => !kept.some((one) => one.version === version && one.kind === kind))
      .map((kind) => `there is no store of ${version} on ${kind}`),
  )
}

/** Opens all of them, as `npm run verify -- --long` does. */
function openingFaults(): string[] {
  const words = ['ACTED_RUNS=10', process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...openings]
  const { status, stdout, stderr } = spawnSync('env', words, { encoding: 'utf8' })
  if (status === 0) return []
  return [
    ...`${stdout}${stderr}`.split('\n').filter((line) => /FAIL|Error/.test(line)),
    `exit code ${status}`,
  ]
}

function stepsOf(version: string, isFirst: boolean): string {
  const steps = [
    'npm run verify -- --long, on an idle machine, until its last line has no failures',
    'npm run try-upgrade, which upgrades the stores of 0.2.0 under visits (builds 0.2.0, so it needs the network once)',
    'npm audit --omit=dev (needs the network), and an entry in SECURITY.md for what stays',
    'Measure the published figures again, by the commands beside them, and name in CHANGELOG.md what got worse',
    `git tag -s v${version}, on a commit whose tree is clean`,
    'npm run release -- --pack, once on each system that you publish for',
    'ops/try-image.sh as root, then build the image with pinned digests, and push it',
    'Publish the archives, their sha256 and the section of CHANGELOG.md with the tag',
    ...(isFirst
      ? [
          `npm run fixtures -- ${version}=$(git rev-parse v${version}), and commit what it writes: later versions open it`,
        ]
      : []),
  ]
  return [`To release ${version}:`, ...steps.map((step, i) => `  ${i + 1}. ${step}`)].join('\n')
}
