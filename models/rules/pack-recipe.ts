import manifest from '../manifest.json' with { type: 'json' }
import extended from '../packs/extended.json' with { type: 'json' }
import type { PackName } from './packs.ts'

/** A network that an operator installs: where its publisher offers it, and how it is recognised among other files. */
export interface NetworkRecipe {
  /** What it is called in a folder that it is installed from, and in the one that it is installed to. */
  readonly file: string
  /** https, at a commit: the publisher cannot change what stands there. */
  readonly address: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
  readonly licence: { readonly name: string; readonly texts: readonly string[] }
  readonly origin: string
  readonly trainingData: string
  /** Whether somebody disputes that it may be used as its licence says. */
  readonly isDisputed: boolean
}

export interface PackRecipe {
  /** Sentences for the operator. */
  readonly adds: readonly string[]
  readonly networks: Readonly<Record<InstalledModelName, NetworkRecipe>>
}

/** What does not ship: an operator installs it. */
export type InstalledModelName = keyof (typeof extended)['networks']

/**
 * [Note: Recipes, not files] A pack that is installed stands here as addresses, sizes and hashes. Its weights are other
 * people's, and whether to take them is the operator's decision.
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

/** The recipe of a pack; undefined where its networks ship. */
export function recipeOf(pack: PackName): PackRecipe | undefined {
  return recipes[pack]
}

/** The recipe of a network and the pack that it comes with; undefined where it ships. */
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

/** The end of a sentence about a pack whose files are not as they should be. */
export function mending(pack: PackName): string {
  return `: npm run packs -- install ${pack}`
}
