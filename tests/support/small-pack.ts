import { createHash } from 'node:crypto'
import type { NetworkRecipe, PackRecipe } from '#models/rules/pack-recipe.ts'

/** A network that is a few bytes long, and its recipe. */
function smallNetwork(file: string, bytes: Buffer, origin: string): NetworkRecipe {
  return {
    file,
    address: `${origin}/${file}`,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    licence: { name: 'MIT', texts: [`${origin}/LICENSE`] },
    origin: 'a test',
    trainingData: 'None.',
    isDisputed: false,
  }
}

export const smallFiles = { 'one.onnx': Buffer.from('the first network'), 'two.onnx': Buffer.alloc(5000, 7) }

/** A pack with two small networks that takes the place of `extended`. */
export function smallPack(origin: string): PackRecipe {
  return {
    adds: ['Nothing that works.'],
    networks: {
      'minifasnet-v2': smallNetwork('one.onnx', smallFiles['one.onnx'], origin),
      'foamliu-face': smallNetwork('two.onnx', smallFiles['two.onnx'], origin),
    },
  }
}
