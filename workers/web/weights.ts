import { modelOf } from '#models/manifest.ts'
import type { ModelName, PageModelName } from '#models/networks/session.ts'
import ageGender from '../../models/weights/age-gender.onnx?url'
import blazefaceShort from '../../models/weights/blazeface-short.onnx?url'
import faceExpression from '../../models/weights/face-expression.onnx?url'
import facemesh from '../../models/weights/facemesh.onnx?url'
import frEye from '../../models/weights/fr-eye.onnx?url'
import frFeature from '../../models/weights/fr-feature.onnx?url'
import frLiveness from '../../models/weights/fr-liveness.onnx?url'
import { anew } from './kept-files.ts'

const addresses: Readonly<Record<PageModelName, string>> = {
  'age-gender': ageGender,
  'blazeface-short': blazefaceShort,
  'face-expression': faceExpression,
  facemesh,
  'fr-eye': frEye,
  'fr-feature': frFeature,
  'fr-liveness': frLiveness,
}

/** Where the weights of a network are. @throws for a network that is not for a page */
export function addressOfWeights(name: ModelName): string {
  const address = (addresses as Readonly<Partial<Record<ModelName, string>>>)[name]
  if (address === undefined) throw new Error(`the weights of ${name} are not for a page`)
  return address
}

/**
 * The bytes of a network, checked against the manifest: altered weights never run. [Note: Asked once more] What a device
 * kept may have been damaged there: then the server is asked, past everything that is kept.
 */
export async function fetchWeights(name: ModelName): Promise<Uint8Array> {
  const address = addressOfWeights(name)
  const kept = await read(name, address)
  if (await isGenuine(name, kept)) return kept
  const fresh = await read(name, address + anew)
  if (await isGenuine(name, fresh)) return fresh
  throw new Error(`the weights of ${name} are not those of the manifest`)
}

async function read(name: ModelName, address: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the weights of ${name} could not be loaded (${answer.status})`)
  return new Uint8Array(await answer.arrayBuffer())
}

async function isGenuine(name: ModelName, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return found === modelOf(name).sha256
}
