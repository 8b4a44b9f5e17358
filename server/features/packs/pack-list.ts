import { recipeOf, type shippedNetworks, shippedWeights } from '#models/rules/pack-recipe.ts'
import { type PackName, packNames } from '#models/rules/packs.ts'
import { networksIn, type PackState, readPackState } from './installed-pack.ts'

export interface ListedPack {
  readonly name: PackName
  readonly state: PackState
  readonly bytes: number
  readonly licences: readonly string[]
  /** Its purpose, in sentences. */
  readonly adds: readonly string[]
}

const shippedSentences: Readonly<Record<keyof typeof shippedNetworks, string>> = {
  standard: 'All features; the default of MODEL_PACK.',
  conservative: 'Only finds and recognises faces, with networks of documented origin.',
}

/** Every available pack, in the order of the pack name list. */
export async function listPacks(packsDir: string): Promise<ListedPack[]> {
  return Promise.all(
    packNames.map(async (name) => {
      const state = await readPackState(name, packsDir)
      const recipe = recipeOf(name)
      if (recipe === undefined) return { name, state, ...shipped(name as keyof typeof shippedNetworks) }
      const networks = networksIn(recipe)
      const bytes = networks.reduce((sum, network) => sum + network.bytes, 0)
      return { name, state, bytes, licences: networks.map(({ licence }) => licence.name), adds: recipe.adds }
    }),
  )
}

function shipped(name: keyof typeof shippedNetworks) {
  return { ...shippedWeights(name), adds: [shippedSentences[name]] }
}

const states: Readonly<Record<PackState, string>> = {
  shipped: 'ships',
  installed: 'installed',
  altered: 'altered or incomplete: install it again',
  absent: 'not installed',
}

/** A pack's description as lines of text. */
export function linesOfPack({ name, state, bytes, licences, adds }: ListedPack): string[] {
  return [
    `${name}  (${states[state]}, ${(bytes / 1e6).toFixed(1)} MB)`,
    ...adds.map((sentence) => `    ${sentence}`),
    `    Licences: ${licences.join('; ')}`,
  ]
}
