import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { Pack } from '#models/rules/packs.ts'
import { joined } from '#models/rules/templates.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { SessionSettings } from '#server/features/links/links.ts'
import { dominantFace, wantedToRecognise } from '#server/features/recognition/recognition.ts'
import type { Image, ImagePointers } from '#shared/contract/analysis/image.ts'
import { type Fault, Problem } from '#shared/problem.ts'

const pointer = '#/referenceImage'
const pointers: ImagePointers = { bytes: `${pointer}/bytes`, url: `${pointer}/url` }

/** True if a session is compared with the caller's picture. */
export function wantsReference({ verifiers }: SessionSettings): boolean {
  return (verifiers.reference?.type ?? 'Disabled') !== 'Disabled'
}

/** Validation errors for a reference picture that is present but unused, or missing but required. */
export function faultsOfReference(given: Image | undefined, settings: SessionSettings): Fault[] {
  const isWanted = wantsReference(settings)
  if (isWanted === (given !== undefined)) return []
  const message = isWanted
    ? 'Is required if verifierConfigs.reference is on.'
    : 'Must be absent if verifierConfigs.reference is Disabled.'
  return [{ pointer, message }]
}

/**
 * Finds the face in the caller's picture, which is not kept after the request.
 * [Note: One face, or nobody knows whose] If there are several faces, the dominant one may be anyone's.
 * @throws {Problem} 400 if it cannot be read, or does not show exactly one face
 */
export type ReadReference = (image: Image, caller: AccountCaller) => Promise<BoundFace>

export function createReadReference(analyseImage: AnalyseImage, pack: Pack): ReadReference {
  const { embeddingModel, secondModel } = pack
  return async (image, caller) => {
    const found = dominantFace(await analyseImage(image, wantedToRecognise, caller, pointers))
    if (found === undefined) throw Problem.at(pointer, 'Must show exactly one face; none was found.')
    if (found.unprocessedFaceCount > 0)
      throw Problem.at(pointer, `Must show one face; ${found.unprocessedFaceCount + 1} were found.`)
    const embedding = Array.from(joined(found.templates))
    return { embedding, embeddingModel, ...(secondModel && { secondModel }) }
  }
}
