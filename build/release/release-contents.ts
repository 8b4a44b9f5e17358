import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyModules, packagesOfServer, readLock } from '../image-modules.ts'
import { sbom } from '../sbom.ts'
import { licences } from './licences.ts'
import { shippedPackages } from './shipped-package.ts'

/** Copied as they are; all else is made. */
const copied = ['dist', 'models/weights', 'docs', 'examples', 'ops']
const copiedFiles = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']

const ofCheckout = /(?:^|\/)(?:\.sources|\.env(?:\.[\w-]+)?|__pycache__|compose\.[\w-]+\.yaml|try-image\.sh)$/

/** True for files of a checkout or a build only: compose files build an image from the sources, and `.env` next to them holds secrets. */
export function isOfCheckout(path: string): boolean {
  return ofCheckout.test(path)
}

interface ProjectManifest {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** A part of a release at its top, with the bytes of all its files. */
export interface ReleasePart {
  readonly name: string
  readonly bytes: number
}

/** Writes what running needs into an empty folder: `node dist/server/main.js` starts there. Needs a current build. */
export function writeRelease(folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`)
  copyModules(folder)
  for (const name of [...copied, ...copiedFiles])
    cpSync(name, join(folder, name), { recursive: true, filter: (file) => !isOfCheckout(file) })
  const write = (name: string, value: string | object) =>
    writeFileSync(
      join(folder, name),
      typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`,
    )
  write('package.json', manifestOfRelease())
  write('licences.txt', licences(shippedPackages()))
  write('sbom.cdx.json', sbom())
  openForAll(folder)
}

/** The same commands as in a checkout, without a build before them. */
function manifestOfRelease(): object {
  const own = readProjectManifest()
  const server = packagesOfServer(readLock(), () => true)
  const isServed = (name: string) => server.includes(`node_modules/${name}`)
  const { name, version, description, license, type, engines, exports } = own
  const programs = Object.entries(own.scripts).flatMap(([script, command]) => {
    const [, program] = /^node build\/start\.mjs (\w+)$/.exec(command) ?? []
    return program === undefined ? [] : [[script, `node dist/server/${program}.js`]]
  })
  const dependencies = Object.entries(own.dependencies).filter(([name]) => isServed(name))
  return {
    ...{ name, version, description, license, private: true, type, engines, exports },
    scripts: Object.fromEntries(programs),
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies: own.optionalDependencies,
  }
}

/** The project's own package.json. */
export function readProjectManifest(): ProjectManifest {
  return JSON.parse(readFileSync('package.json', 'utf8')) as ProjectManifest
}

/** Lets every user read, and no one but the owner write, whatever the umask of the one who builds. */
function openForAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

/** The largest first. */
export function partsOf(folder: string): ReleasePart[] {
  return readdirSync(folder)
    .map((name) => ({ name, bytes: bytesOf(join(folder, name)) }))
    .sort((a, b) => b.bytes - a.bytes)
}

function bytesOf(path: string): number {
  if (statSync(path).isFile()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

/** Packs `parent/name` as a gzip-compressed tar file that belongs to root, with the time of the commit on every file. */
export function packRelease(parent: string, name: string, file: string): void {
  const words = [
    ...['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${secondsOfCommit()}`],
    ...['--use-compress-program', 'gzip -n', '-cf', file, '-C', parent, name],
  ]
  execFileSync('tar', words)
}

/** Seconds since 1970; zero outside a checkout. */
function secondsOfCommit(): number {
  try {
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return 0
  }
}
