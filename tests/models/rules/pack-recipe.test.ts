import { describe, expect, test } from 'vitest'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import type { AnalysisStages } from '#models/rules/analysis.ts'
import { installedNetwork, recipeOf, shippedNetworks, shippedWeights } from '#models/rules/pack-recipe.ts'
import { packNames, packs } from '#models/rules/packs.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'

const everything: AnalysisStages = {
  group: true,
  liveness: 'full',
  embedding: true,
  demographic: 'full',
  expression: 'full',
  eyes: true,
}
const networksOf = (name: (typeof packNames)[number]) =>
  createPipeline(new FakeNetworks().open, () => 0, packs[name]).networks(everything)

describe('the contents of a pack', () => {
  test.each(packNames)('%s: each of its networks ships, or has a recipe', (name) => {
    const recipe = recipeOf(name)
    const installed = networksOf(name).filter((network) => installedNetwork(network) !== undefined)
    expect(installed).toEqual(recipe === undefined ? [] : Object.keys(recipe.networks))
    for (const network of installed) expect(installedNetwork(network)?.pack).toBe(name)
  })

  test.each(['standard', 'conservative'] as const)('%s ships these, and no others', (name) => {
    expect(new Set(shippedNetworks[name])).toEqual(new Set(networksOf(name)))
    expect(shippedWeights(name).bytes).toBeGreaterThan(7e6)
    expect(shippedWeights(name).licences).toContain('MIT')
  })
})

describe('a recipe', () => {
  const networks = packNames.flatMap((name) => Object.entries(recipeOf(name)?.networks ?? {}))

  test.each(networks)('of %s names one file for ever, over https, and what is known of it', (_, recipe) => {
    const { protocol, pathname, search } = new URL(recipe.address)
    expect([protocol, search]).toEqual(['https:', ''])
    expect(pathname).toMatch(/\/[0-9a-f]{40}\//)
    expect(recipe.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(recipe.bytes).toBeGreaterThan(1e6)
    expect(recipe.file).toMatch(/^[\w-]+\.onnx$/)
    expect(recipe.licence.texts.every((text) => text.startsWith('https://'))).toBe(true)
    for (const words of [recipe.licence.name, recipe.origin, recipe.trainingData]) expect(words).not.toBe('')
  })
})
