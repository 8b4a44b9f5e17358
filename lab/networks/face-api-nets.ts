/** The networks for which face-api only ships weights, with their architecture spelled out layer by layer. */

import type { Graph } from '../../workers/onnx/graph.ts'
import { Layers } from './face-api-layers.ts'
import type { TakeWeights } from './tfjs-weights.ts'

/** A small Xception with one head for the age in years and one for the gender (male, female). */
export function buildAgeGender(take: TakeWeights): Graph {
  const layers = new Layers(take)
  const start = layers.convolve(
    layers.normalise(),
    'entry_flow/conv_in/filters',
    'entry_flow/conv_in/bias',
    2,
    3,
  )
  let value = layers.relu(start)
  value = reduce(layers, value, value, 'entry_flow/reduction_block_0')
  value = reduce(layers, value, layers.relu(value), 'entry_flow/reduction_block_1')
  value = refine(layers, value, 'middle_flow/main_block_0')
  value = refine(layers, value, 'middle_flow/main_block_1')
  value = reduce(layers, value, layers.relu(value), 'exit_flow/reduction_block')
  value = layers.pool(layers.relu(layers.separable(value, 'exit_flow/separable_conv')))
  layers.connect(value, 'fc/age', 'age')
  layers.softmax(layers.connect(value, 'fc/gender'), 'gender')
  return layers.finish('age-gender', 112, [
    { name: 'age', dims: ['N', 1] },
    { name: 'gender', dims: ['N', 2] },
  ])
}

/** Halves the picture on two paths and adds up the results. */
function reduce(layers: Layers, value: string, active: string, prefix: string): string {
  const first = layers.separable(active, `${prefix}/separable_conv0`)
  const second = layers.separable(layers.relu(first), `${prefix}/separable_conv1`)
  const expansion = `${prefix}/expansion_conv`
  const aside = layers.convolve(value, `${expansion}/filters`, `${expansion}/bias`, 2, 1)
  return layers.add(layers.maxPool(second), aside)
}

function refine(layers: Layers, value: string, prefix: string): string {
  let inner = value
  for (const index of [0, 1, 2])
    inner = layers.separable(layers.relu(inner), `${prefix}/separable_conv${index}`)
  return layers.add(inner, value)
}

/** Four blocks in which each layer gets the sum of all earlier ones, followed by the seven expressions. */
export function buildFaceExpression(take: TakeWeights): Graph {
  const layers = new Layers(take)
  let value = layers.normalise()
  for (const block of [0, 1, 2, 3]) value = denseBlock(layers, value, `dense${block}`, block === 0)
  layers.softmax(layers.connect(layers.pool(value), 'fc'), 'expressions')
  return layers.finish('face-expression', 112, [{ name: 'expressions', dims: ['N', 7] }])
}

function denseBlock(layers: Layers, value: string, prefix: string, isFirst: boolean): string {
  const entry = isFirst
    ? layers.convolve(value, `${prefix}/conv0/filters`, `${prefix}/conv0/bias`, 2, 3)
    : layers.separable(value, `${prefix}/conv0`, 2)
  const first = layers.relu(entry)
  let sum = layers.add(first, layers.separable(first, `${prefix}/conv1`))
  for (const index of [2, 3])
    sum = layers.add(sum, layers.separable(layers.relu(sum), `${prefix}/conv${index}`))
  return layers.relu(sum)
}

/** dlib's residual network of 29 convolutions, with 128 numbers that identify a person (King 2017, "High quality face recognition"). */
export function buildFaceRecognition(take: TakeWeights): Graph {
  const layers = new Layers(take)
  let value = layers.relu(layers.scaled(layers.normalise(), 'conv32_down', 2, 7))
  value = layers.maxPool(value, 0)
  for (const index of [1, 2, 3]) value = residual(layers, value, `conv32_${index}`)
  value = residualDown(layers, value, 'conv64_down', { channels: 32 })
  for (const index of [1, 2, 3]) value = residual(layers, value, `conv64_${index}`)
  value = residualDown(layers, value, 'conv128_down', { channels: 64 })
  for (const index of [1, 2]) value = residual(layers, value, `conv128_${index}`)
  value = residualDown(layers, value, 'conv256_down', { channels: 128, pixels: 1 })
  for (const index of [1, 2]) value = residual(layers, value, `conv256_${index}`)
  value = residualDown(layers, value, 'conv256_down_out', { pixels: 1 })
  layers.multiply(layers.pool(value), 'fc', 'embedding')
  return layers.finish('dlib-face', 150, [{ name: 'embedding', dims: ['N', 128] }])
}

function residual(layers: Layers, value: string, prefix: string): string {
  const first = layers.relu(layers.scaled(value, `${prefix}/conv1`, 1))
  return layers.relu(layers.add(layers.scaled(first, `${prefix}/conv2`, 1), value))
}

/** Halves the picture. Missing channels are added to the shortcut, and missing pixels to the convolutions. */
function residualDown(
  layers: Layers,
  value: string,
  prefix: string,
  { channels, pixels }: { readonly channels?: number; readonly pixels?: number },
): string {
  const first = layers.relu(layers.scaled(value, `${prefix}/conv1`, 2))
  const second = layers.scaled(first, `${prefix}/conv2`, 1)
  const pooled = layers.halve(value)
  return layers.relu(
    layers.add(
      channels === undefined ? pooled : layers.extend(pooled, { channels }),
      pixels === undefined ? second : layers.extend(second, { pixels }),
    ),
  )
}
