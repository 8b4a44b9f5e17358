import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOfProduct, readLock } from '../image-modules.ts'

/** A package that a release contains, in `node_modules` or bundled into the pages, as it is installed here. */
export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** An SPDX expression; empty if the package names none. */
  readonly licence: string
  /** Empty if the package names none. */
  readonly author: string
  /** The address of its sources; empty if the package names none. */
  readonly sources: string
  /** The texts of its licence and of its notices. */
  readonly texts: readonly string[]
  /** Its folder with the version that `package-lock.json` has, if another one is installed. */
  readonly outdated?: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type: string }
  readonly author?: string | { readonly name: string }
  readonly repository?: string | { readonly url: string }
  readonly homepage?: string
}

/** All packages that a release made on this machine contains, by name. */
export function shippedPackages(): ShippedPackage[] {
  const lock = readLock()
  return packagesOfProduct(lock, existsSync)
    .map((folder) => packageIn(folder, lock[folder]!.version))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A package without a licence file may have its licence in its README, for each library that it contains. */
function packageIn(folder: string, locked: string | undefined): ShippedPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version, license = '', author = '', repository = '', homepage = '' } = manifest
  const names = readdirSync(folder)
  const files = names.filter((file) => /^(?:licen[cs]e|copying|notice|third-?party)/i.test(file))
  const readme = names.filter((file) => /^readme(?:\.md)?$/i.test(file))
  const inReadme = readme.map((file) => sectionOf(readFileSync(join(folder, file), 'utf8')))
  return {
    name,
    version,
    licence: typeof license === 'string' ? license : license.type,
    author: typeof author === 'string' ? author.replace(/ *[<(].*/, '') : author.name,
    sources: (typeof repository === 'string' ? repository : repository.url) || homepage,
    texts:
      files.length > 0
        ? files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
        : inReadme.filter((text) => text !== ''),
    ...(version !== locked && { outdated: `${folder} ${locked}` }),
  }
}

/** The section about licences of a README. */
function sectionOf(readme: string): string {
  const [, text = ''] = /^#+ Licen[cs](?:e|es|ing)\s*$([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(readme) ?? []
  return text.trim()
}
