import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ShippedPackage } from './shipped-package.ts'

/** Its two texts appear once, at the end. */
const lesser = 'LGPL-3.0-or-later'

/** Licences that a release may contain, with the texts that it then has to contain. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  MIT: ['mit'],
  '(MIT OR CC0-1.0)': ['mit'],
  ISC: ['isc'],
  '0BSD': [],
  'BSD-2-Clause': [],
  'BSD-3-Clause': [],
  'Apache-2.0': [],
  [lesser]: ['lgpl-3.0', 'gpl-3.0'],
}

/** Reasons against passing packages on: a licence that is not allowed, or one without a text. */
export function licenceFaults(packages: readonly ShippedPackage[]): string[] {
  return packages.flatMap(({ name, licence, texts }) => {
    if (!(licence in allowed)) return `${name} has the licence "${licence}", which is not in the list`
    return texts.length === 0 && allowed[licence]!.length === 0 ? `${name} has no text of ${licence}` : []
  })
}

/** The text that goes with a release: each package with its licence, authors and notices. */
export function licences(packages: readonly ShippedPackage[]): string {
  const named = packages.map(({ name, version, licence, sources }) =>
    [`${name} ${version}`, licence, sources].filter((word) => word !== '').join(', '),
  )
  const isLesser = packages.some(({ licence }) => licence === lesser)
  return [
    'Selfsame is under the licence in LICENSE, its networks under those in models/weights/licences.',
    'It contains these packages, in node_modules or bundled into its pages:',
    ...named.map((line) => `  ${line}`),
    ...packages.flatMap((one) => [heading(`${one.name} ${one.version}`), ...textsOf(one)]),
    ...(isLesser ? allowed[lesser]!.flatMap((name) => [heading(name), standardText(name)]) : []),
    '',
  ].join('\n')
}

/** In characters. Anything shorter only names a licence. */
const shortestText = 200

function textsOf({ name, licence, author, texts }: ShippedPackage): readonly string[] {
  const [standard] = allowed[licence] ?? []
  if (standard === undefined || licence === lesser || texts.some((text) => text.length > shortestText))
    return texts
  return [...texts, `Copyright (c) ${author || `the authors of ${name}`}`, '', standardText(standard)]
}

function standardText(name: string): string {
  return readFileSync(join(import.meta.dirname, 'texts', `${name}.txt`), 'utf8').trim()
}

function heading(name: string): string {
  return `\n${'='.repeat(80)}\n${name}\n${'='.repeat(80)}\n`
}
