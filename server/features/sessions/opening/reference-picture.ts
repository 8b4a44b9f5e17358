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

/** Whether a session compares with a picture that the caller gives. */
export function wantsReference({ verifiers }: SessionSettings): boolean {
  return (verifiers.reference?.type ?? 'Disabled') !== 'Disabled'
}

/** What is wrong with a picture that is there where none is compared with, or missing where one is. */
export function faultsOfReference(given: Image | undefined, settings: SessionSettings): Fault[] {
  const isWanted = wantsReference(settings)
  if (isWanted === (given !== undefined)) return []
  const message = isWanted
    ? 'Is required where verifierConfigs.reference is on.'
    : 'Must be absent where verifierConfigs.reference is Disabled.'
  return [{ pointer, message }]
}

/**
 * The face of the picture that the caller gave. [Note: One face, or nobody knows whose] The dominant one of several may be anybody's.
 * The picture itself is gone with the request.
 * @throws {Problem} 400 where it cannot be read, and where it shows no face or several
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
