import { modelOf } from '#models/networks/manifest.ts'
import type { ModelName, PageModelName } from '#models/networks/session.ts'
import ageGender from '../../models/weights/age-gender.onnx?url'
import blazefaceShort from '../../models/weights/blazeface-short.onnx?url'
import faceExpression from '../../models/weights/face-expression.onnx?url'
import facemesh from '../../models/weights/facemesh.onnx?url'
import frEye from '../../models/weights/fr-eye.onnx?url'
import frFeature from '../../models/weights/fr-feature.onnx?url'
import frLiveness from '../../models/weights/fr-liveness.onnx?url'
import { type DownloadOptions, download, WrongFile } from './download.ts'
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

/** The address of a network's weights. @throws if the network is not meant for pages */
export function addressOfWeights(name: ModelName): string {
  const address = (addresses as Readonly<Partial<Record<ModelName, string>>>)[name]
  if (address === undefined) throw new Error(`the weights of ${name} are not for a page`)
  return address
}

/**
 * Fetches a network's bytes and checks them against the manifest, so that altered weights never run. [Note: Asked once more] The cached copy may
 * be damaged, or a captive portal may have answered with its own page. In this case, the file is fetched once more, bypassing all caches.
 * @throws WrongFile if the second file is wrong as well; any other error if the network delivers nothing
 */
export async function fetchWeights(name: ModelName, options: DownloadOptions = {}): Promise<Uint8Array> {
  const { bytes } = modelOf(name)
  const address = addressOfWeights(name)
  const first = await unlessWrong(download({ address, bytes }, options))
  if (first !== undefined && (await isGenuine(name, first))) return first
  const fresh = await download({ address: address + anew, bytes }, options)
  if (await isGenuine(name, fresh)) return fresh
  throw new WrongFile(`${address} is not the file of the manifest`)
}

async function unlessWrong<T>(file: Promise<T>): Promise<T | undefined> {
  try {
    return await file
  } catch (error) {
    if (!(error instanceof WrongFile)) throw error
    return undefined
  }
}

async function isGenuine(name: ModelName, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return found === modelOf(name).sha256
}
