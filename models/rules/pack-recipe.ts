import extended from '../packs/extended.json' with { type: 'json' }
import manifest from '../weights/manifest.json' with { type: 'json' }
import type { PackName } from './packs.ts'

/** A network that an operator installs, with its publisher's address and the hash that identifies the file. */
export interface NetworkRecipe {
  /** The file's name, both in the source folder and in the installed pack. */
  readonly file: string
  /** An https address that includes a commit, so that the publisher cannot change the content. */
  readonly address: string
  readonly bytes: number
  /** In lower-case hex. */
  readonly sha256: string
  readonly licence: { readonly name: string; readonly texts: readonly string[] }
  readonly origin: string
  readonly trainingData: string
  /** True if it is disputed whether the stated licence permits its use. */
  readonly isDisputed: boolean
}

export interface PackRecipe {
  /** Sentences for the operator. */
  readonly adds: readonly string[]
  readonly networks: Readonly<Record<InstalledModelName, NetworkRecipe>>
}

/** Networks that do not ship and have to be installed. */
export type InstalledModelName = keyof (typeof extended)['networks']

/**
 * [Note: Recipes, not files] A pack that has to be installed consists of addresses, sizes and hashes. Its weights belong to other people, and it is
 * the operator's decision to use them.
 */
const recipes: Readonly<Partial<Record<PackName, PackRecipe>>> = { extended }

/** The networks of each pack that ships. */
export const shippedNetworks = {
  standard: [
    'blazeface-short',
    'blazeface-full',
    'fr-detect',
    'facemesh',
    'fr-liveness',
    'fr-feature',
    'age-gender',
    'faceres-deep',
    'face-expression',
    'fr-eye',
  ],
  conservative: ['blazeface-short', 'blazeface-full', 'facemesh', 'dlib-face'],
} as const satisfies Partial<Record<PackName, readonly (keyof typeof manifest.models)[]>>

/** The size in bytes and the licences of a pack that ships. */
export function shippedWeights(pack: keyof typeof shippedNetworks): {
  readonly bytes: number
  readonly licences: readonly string[]
} {
  const models = shippedNetworks[pack].map((name) => manifest.models[name])
  return {
    bytes: models.reduce((sum, { bytes }) => sum + bytes, 0),
    licences: [...new Set(models.map(({ licence }) => licence))],
  }
}

/** A pack's recipe, or undefined if its networks ship. */
export function recipeOf(pack: PackName): PackRecipe | undefined {
  return recipes[pack]
}

/** A network's recipe and the pack that it belongs to, or undefined if the network ships. */
export function installedNetwork(
  name: string,
): { readonly pack: PackName; readonly recipe: NetworkRecipe } | undefined {
  for (const [pack, { networks }] of Object.entries(recipes)) {
    if (Object.hasOwn(networks, name)) {
      return { pack: pack as PackName, recipe: networks[name as InstalledModelName] }
    }
  }
  return undefined
}

/** The end of a sentence about a pack with missing or altered files. */
export function mending(pack: PackName): string {
  return `: npm run packs -- install ${pack}`
}
