import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readWords, refuse } from './usage.ts'

const usage = `Usage: tsx build/image-modules.ts FOLDER

Copies to FOLDER/node_modules what the built server loads on a machine like this one, with this Node: the packages that it
stands on, without other systems' binaries, sources of libraries, source maps and types. For the image.`

/**
 * [Note: What no server loads] Packages that only pages use, which the build has bundled, and the fallback for a native runtime that
 * always loads in the image. All other dependencies are copied without being listed.
 */
const onlyInPages = new Set([
  '@preact/signals',
  '@simplewebauthn/browser',
  'idb',
  'onnxruntime-web',
  'preact',
  'workbox-window',
])

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lock = Readonly<Record<string, LockedPackage>>

/** Folders of the runtime packages in the lock file, without those of other platforms, which are not installed. */
export function packagesOfServer(lock: Lock, isInstalled: (folder: string) => boolean): string[] {
  const found = new Set<string>()
  const visit = (from: string, names: Iterable<string>) => {
    for (const name of names) {
      const folder = folderOf(lock, from, name)
      if (folder === undefined || found.has(folder) || !isInstalled(folder)) continue
      found.add(folder)
      const { dependencies, optionalDependencies } = lock[folder]!
      visit(folder, Object.keys({ ...dependencies, ...optionalDependencies }))
    }
  }
  const own = Object.keys({ ...lock['']?.dependencies, ...lock['']?.optionalDependencies })
  visit(
    '',
    own.filter((name) => !onlyInPages.has(name)),
  )
  return [...found].sort()
}

/** Resolves like Node: from the importing folder outwards. */
function folderOf(lock: Lock, from: string, name: string): string | undefined {
  const here = join(from, 'node_modules', name)
  if (here in lock) return here
  if (from === '') return undefined
  return folderOf(lock, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

interface Machine {
  readonly platform: string
  readonly arch: string
  /** Version of Node's binary interface. */
  readonly modules: string
}

/** True if a server on this machine does not need the file. `path` is below node_modules. */
export function isLeftOut(path: string, { platform, arch, modules }: Machine): boolean {
  const native = /^onnxruntime-node\/bin\/[^/]+\/([^/]+)(?:\/([^/]+))?/.exec(path)
  if (native !== null) return native[1] !== platform || (native[2] !== undefined && native[2] !== arch)
  const forNode = /\/node\.(?:abi(\d+)|napi)\.(glibc|musl)\.node$/.exec(path)
  if (forNode !== null) return forNode[2] === 'musl' || (forNode[1] ?? modules) !== modules
  if (/\.(?:map|d\.[cm]?ts|tsbuildinfo|cc?|cpp|hh?|gypi?)$/.test(path)) return true
  if (path.startsWith('@opentelemetry/')) return isUnusedByTraces(path)
  return /^swagger-ui-dist\/swagger-ui-es-bundle/.test(path) || /^lmdb\/dependencies\//.test(path)
}

/** OpenTelemetry packages come in several formats, of which Node loads the one for `require`, and with names that only other signals use. */
function isUnusedByTraces(path: string): boolean {
  return /\/build\/es(?:m|next)\/|\.mjs$|\/dist\/(?:experimental_|index-incubating)/.test(path)
}

function copyModules(target: string): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock }
  const machine = { platform: process.platform, arch: process.arch, modules: process.versions.modules }
  for (const folder of packagesOfServer(packages, existsSync)) {
    const filter = (file: string) => {
      // A package's own node_modules are handled separately.
      if (relative(folder, file) === 'node_modules') return false
      const path = relative('node_modules', file)
      return statSync(file).isDirectory() ? !isLeftOut(`${path}/`, machine) : !isLeftOut(path, machine)
    }
    cpSync(folder, join(target, folder), { recursive: true, filter })
  }
}

if (process.argv[1] === import.meta.filename) {
  const { positionals } = readWords(usage, {}, 1)
  copyModules(positionals[0] ?? refuse('FOLDER is missing.'))
}
