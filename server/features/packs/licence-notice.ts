import type { PackRecipe } from '#models/rules/pack-recipe.ts'
import type { PackName } from '#models/rules/packs.ts'
import { networksIn } from './installed-pack.ts'

/** What an operator has to know before a pack is installed, in lines. */
export function licenceNotice(pack: PackName, recipe: PackRecipe): string[] {
  return [
    `The ${pack} pack holds networks of other publishers. Nothing was installed yet.`,
    ...networksIn(recipe).flatMap(({ file, bytes, origin, address, licence, trainingData, isDisputed }) => [
      '',
      `${file} (${(bytes / 1e6).toFixed(1)} MB): ${origin}`,
      `    From: ${address}`,
      `    Licence: ${licence.name}`,
      ...licence.texts.map((text) => `        ${text}`),
      `    ${isDisputed ? 'DISPUTED training data' : 'Training data'}: ${trainingData}`,
    ]),
    '',
    'Have the rights reviewed before commercial use. Whoever has read this and agrees repeats with --accept-licence.',
  ]
}
