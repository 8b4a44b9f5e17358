import { modelOf } from '#models/manifest.ts'
import type { ModelName, PageModelName } from '#models/session.ts'
import ageGender from '../../models/weights/age-gender.onnx?url'
import blazefaceFull from '../../models/weights/blazeface-full.onnx?url'
import blazefaceShort from '../../models/weights/blazeface-short.onnx?url'
import faceExpression from '../../models/weights/face-expression.onnx?url'
import facemesh from '../../models/weights/facemesh.onnx?url'
import frEye from '../../models/weights/fr-eye.onnx?url'
import frFeature from '../../models/weights/fr-feature.onnx?url'
import frLiveness from '../../models/weights/fr-liveness.onnx?url'

const addresses: Readonly<Record<PageModelName, string>> = {
  'age-gender': ageGender,
  'blazeface-full': blazefaceFull,
  'blazeface-short': blazefaceShort,
  'face-expression': faceExpression,
  facemesh,
  'fr-eye': frEye,
  'fr-feature': frFeature,
  'fr-liveness': frLiveness,
}

/** The bytes of a network, checked against the manifest: altered weights never run. */
export async function fetchWeights(name: ModelName): Promise<Uint8Array> {
  const address = (addresses as Readonly<Partial<Record<ModelName, string>>>)[name]
  if (address === undefined) throw new Error(`the weights of ${name} are not for a page`)
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the weights of ${name} could not be loaded (${answer.status})`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (found !== modelOf(name).sha256) throw new Error(`the weights of ${name} are not those of the manifest`)
  return bytes
}
