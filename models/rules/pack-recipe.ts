import manifest from '../manifest.json' with { type: 'json' }
import extended from '../packs/extended.json' with { type: 'json' }
import type { PackName } from './packs.ts'

/** A network that an operator installs: its publisher's address, and the hash that identifies the file. */
export interface NetworkRecipe {
  /** Its file name in the source folder and in the installed pack. */
  readonly file: string
  /** https, at a commit, so that the publisher cannot change the content. */
  readonly address: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
  readonly licence: { readonly name: string; readonly texts: readonly string[] }
  readonly origin: string
  readonly trainingData: string
  /** True if its use under the stated licence is disputed. */
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
 * [Note: Recipes, not files] A pack that is installed is represented by addresses, sizes and hashes. Its weights belong
 * to other people, and the decision to use them is the operator's.
 */
const recipes: Readonly<Partial<Record<PackName, PackRecipe>>> = { extended }

/** The networks of the packs that ship. */
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

/** Bytes and licences of a pack that ships. */
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

/** The recipe of a pack; undefined if its networks ship. */
export function recipeOf(pack: PackName): PackRecipe | undefined {
  return recipes[pack]
}

/** The recipe of a network and its pack; undefined if it ships. */
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

/** The end of a sentence about a pack whose files are missing or altered. */
export function mending(pack: PackName): string {
  return `: npm run packs -- install ${pack}`
}
