import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The kubernetes-models schemas accept unknown fields, and so do clusters, with a warning that pipelines do
 * not show. The types name every field, so they reveal fields that are misspelt or in the wrong place.
 */

const packages = 'node_modules'

/** The types of an object's fields by name, and the files with the types that they refer to. */
interface Declaration {
  readonly fields: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, string>
}

const known = new Map<string, Declaration>()

/** `Name.d.ts` declares the interface `IName` with one field per line. Only maps take several lines. */
function declarationIn(file: string): Declaration {
  const cached = known.get(file)
  if (cached !== undefined) return cached
  const text = readFileSync(file, 'utf8')
  const [, block = ''] = /^export interface \w+ (?:extends \w+ )?\{\n([\s\S]*?)^\}/m.exec(text) ?? []
  const fields = [...block.matchAll(/^ {4}"([^"]+)"\??: (.*?);?$/gm)].map(
    ([, name, type]) => [name!, type!] as const,
  )
  const imports = [...text.matchAll(/^import \{ (\w+) \} from "([^"]+)";$/gm)].map(
    ([, name, from]) => [name!, pathOf(file, from!)] as const,
  )
  const found = { fields: new Map(fields), files: new Map(imports) }
  known.set(file, found)
  return found
}

function pathOf(file: string, from: string): string {
  return from.startsWith('.')
    ? join(dirname(file), from.replace(/\.js$/, '.d.ts'))
    : join(packages, `${from}.d.ts`)
}

/** The paths of fields that the manifest's kind does not have, such as `spec.template.spec.containers.0.prots`. */
export function unknownFields(manifest: Readonly<Record<string, unknown>>): string[] {
  const { apiVersion, kind } = manifest
  return unknownIn(join(packages, 'kubernetes-models', String(apiVersion), `${kind}.d.ts`), manifest, '')
}

function unknownIn(file: string, value: object, at: string): string[] {
  const { fields, files } = declarationIn(file)
  // A scalar that can have several types, such as a port, has no fields.
  if (fields.size === 0) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = at === '' ? name : `${at}.${name}`
    const type = fields.get(name)
    if (type === undefined) return [path]
    const next = files.get(/I\w+/.exec(type)?.[0] ?? '')
    if (next === undefined) return []
    const items = (Array.isArray(inner) ? inner : [inner]).map((item: unknown, i) => [item, i] as const)
    return items.flatMap(([item, i]) =>
      typeof item === 'object' && item !== null
        ? unknownIn(next, item, Array.isArray(inner) ? `${path}.${i}` : path)
        : [],
    )
  })
}
