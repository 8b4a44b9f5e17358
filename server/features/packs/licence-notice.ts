import type { PackRecipe } from '#models/rules/pack-recipe.ts'
import type { PackName } from '#models/rules/packs.ts'
import { networksIn } from './installed-pack.ts'

/** The notice that operators must read before installing a pack, as lines. */
export function licenceNotice(pack: PackName, recipe: PackRecipe): string[] {
  return [
    `The ${pack} pack contains networks of other publishers. Nothing has been installed yet.`,
    ...networksIn(recipe).flatMap(({ file, bytes, origin, address, licence, trainingData, isDisputed }) => [
      '',
      `${file} (${(bytes / 1e6).toFixed(1)} MB): ${origin}`,
      `    From: ${address}`,
      `    Licence: ${licence.name}`,
      ...licence.texts.map((text) => `        ${text}`),
      `    ${isDisputed ? 'DISPUTED training data' : 'Training data'}: ${trainingData}`,
    ]),
    '',
    'Have the rights reviewed before commercial use. If you agree, repeat the command with --accept-licence.',
  ]
}
