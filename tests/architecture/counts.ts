import { circlesIn } from './circles.ts'
import { faceOf, featureOf, layerOf, layers } from './layers.ts'
import type { SourceFile } from './source-file.ts'

/** Figures that describe the code's structure. */
export interface Counts {
  /** How many imports there are between features, and how many files they reach. */
  readonly importsBetweenFeatures: number
  readonly filesReached: number
  /** How many of those files are a feature's public file. */
  readonly facesReached: number
  /** How many pairs of server folders import each other. */
  readonly pairsOfFolders: number
  /** Import cycles, including type imports. */
  readonly circlesOfFiles: number
  /** The product's lines of code, by folder. */
  readonly lines: Readonly<Record<(typeof productFolders)[number], number>>
}

const productFolders = ['server', 'web', 'workers', 'models', 'shared'] as const

export function countsOf(files: readonly SourceFile[]): Counts {
  const product = files.filter(({ path }) => productFolders.some((folder) => path.startsWith(`${folder}/`)))
  const between = product.flatMap(({ path, imports }) => {
    const own = featureOf(path)
    const others = imports.filter(({ isPackage, target }) => !isPackage && featureOf(target) !== undefined)
    return own === undefined ? [] : others.map(({ target }) => target).filter((one) => featureOf(one) !== own)
  })
  const reached = new Set(between)
  const linesIn = (folder: string) =>
    product.filter(({ path }) => path.startsWith(`${folder}/`)).reduce((sum, { lines }) => sum + lines, 0)
  return {
    importsBetweenFeatures: between.length,
    filesReached: reached.size,
    facesReached: [...reached].filter((path) => faceOf(featureOf(path)!) === path).length,
    pairsOfFolders: pairsIn(product),
    circlesOfFiles: circlesIn(product).length,
    lines: Object.fromEntries(productFolders.map((folder) => [folder, linesIn(folder)])) as Counts['lines'],
  }
}

function pairsIn(files: readonly SourceFile[]): number {
  const edges = new Set<string>()
  for (const { path, imports } of files)
    for (const { isPackage, target } of imports)
      if (!isPackage && layerOf(path) >= 0 && layerOf(target) >= 0)
        edges.add(`${layerOf(path)} ${layerOf(target)}`)
  return layers.flatMap((_, a) =>
    layers.filter((_other, b) => b > a && edges.has(`${a} ${b}`) && edges.has(`${b} ${a}`)),
  ).length
}
