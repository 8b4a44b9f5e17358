import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * [Note: What no server loads] Packages that only pages use, which the build has bundled, and the fallback for a native runtime that
 * always loads in a release. All other dependencies are copied without being listed.
 */
const onlyInPages = new Set([
  '@preact/signals',
  '@simplewebauthn/browser',
  'idb',
  'jsonc-parser',
  'onnxruntime-web',
  'preact',
  'uplot',
  'workbox-window',
])

interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lock = Readonly<Record<string, LockedPackage>>

/** The packages of `package-lock.json`, by folder. */
export function readLock(): Lock {
  return (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock }).packages
}

/** Folders of the packages that the server loads, without those of other platforms, which are not installed. */
export function packagesOfServer(lock: Lock, isInstalled: (folder: string) => boolean): string[] {
  return packagesBelow(lock, isInstalled, (name) => !onlyInPages.has(name))
}

/** The same with the packages that the build has bundled into the pages. */
export function packagesOfProduct(lock: Lock, isInstalled: (folder: string) => boolean): string[] {
  return packagesBelow(lock, isInstalled, () => true)
}

function packagesBelow(
  lock: Lock,
  isInstalled: (folder: string) => boolean,
  isWanted: (name: string) => boolean,
): string[] {
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
  visit('', own.filter(isWanted))
  return [...found].sort()
}

/** Resolves like Node: from the importing folder outwards. */
function folderOf(lock: Lock, from: string, name: string): string | undefined {
  const here = join(from, 'node_modules', name)
  if (here in lock) return here
  if (from === '') return undefined
  return folderOf(lock, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>

/** Versions of the binary interface of Node 22 and 24. Other versions load the slower files that fit every Node. */
const interfacesOfNode = ['127', '137']

/** True if a server on such a machine does not need the file. `path` is below node_modules. */
export function isLeftOut(path: string, { platform, arch }: Machine): boolean {
  const native = /^onnxruntime-node\/bin\/[^/]+\/([^/]+)(?:\/([^/]+))?/.exec(path)
  if (native !== null) return native[1] !== platform || (native[2] !== undefined && native[2] !== arch)
  const forNode = /\/node\.(?:abi(\d+)|napi)\.(glibc|musl)\.node$/.exec(path)
  if (forNode !== null) {
    const [, version, library] = forNode
    return library === 'musl' || (version !== undefined && !interfacesOfNode.includes(version))
  }
  if (/\.(?:map|[cm]?ts|tsbuildinfo|cc?|cpp|hh?|gypi?)$/.test(path)) return true
  if (path.startsWith('@opentelemetry/')) return isUnusedByTraces(path)
  return /^(?:swagger-ui-dist\/swagger-ui-es-bundle|(?:lmdb\/dependencies|bintrees\/test)\/)/.test(path)
}

/** OpenTelemetry packages come in several formats, of which Node loads the one for `require`, and with names that only other signals use. */
function isUnusedByTraces(path: string): boolean {
  return /\/build\/es(?:m|next)\/|\.mjs$|\/dist\/(?:experimental_|index-incubating)/.test(path)
}

/**
 * Copies to `target/node_modules` what the built server loads on a machine like this one: its packages without other systems' binaries,
 * sources of libraries, source maps and types.
 */
export function copyModules(target: string): void {
  for (const folder of packagesOfServer(readLock(), existsSync)) {
    const filter = (file: string) => {
      // A package's own node_modules are handled separately.
      if (relative(folder, file) === 'node_modules') return false
      const path = relative('node_modules', file)
      return !isLeftOut(statSync(file).isDirectory() ? `${path}/` : path, process)
    }
    cpSync(folder, join(target, folder), { recursive: true, filter })
  }
}
