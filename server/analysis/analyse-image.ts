import type { Analysis, Wanted } from '#models/rules/analysis.ts'
import { type Image, type ImagePointers, imagePointers } from '#shared/contract/analysis/image.ts'
import { Problem } from '#shared/problem.ts'
import type { AnalysisRequest, AnalysisService } from './analysis-service.ts'
import type { ReadImage } from './image-source.ts'

/**
 * Reads the picture that a caller handed in, and analyses it on the caller's behalf.
 * @throws {Problem} unreadable_image (400) with a pointer, saying what is wrong; overloaded (503)
 */
export type AnalyseImage = (
  image: Image,
  wanted: Wanted,
  caller: AnalysisRequest,
  pointers?: ImagePointers,
) => Promise<Analysis>

export function createAnalyseImage(readImage: ReadImage, analysis: AnalysisService): AnalyseImage {
  return async (image, wanted, { accountId, signal, lease }, pointers = imagePointers) => {
    const picture = await readImage(image, { accountId, signal, ...(lease && { lease }) }, pointers)
    const pointer = typeof image.bytes === 'string' ? pointers.bytes : pointers.url
    return analysis.analyse(picture, wanted, { accountId, signal }).catch((error) => {
      // Whoever decodes the picture does not know where it came from.
      const isOfPicture = error instanceof Problem && error.code === 'unreadable_image'
      throw isOfPicture ? Problem.at(pointer, error.message, error.code) : error
    })
  }
}
