import type { Analysis, AnalysisStages } from '#models/rules/analysis.ts'
import { type Image, type ImagePointers, imagePointers } from '#shared/contract/analysis/image.ts'
import { Problem } from '#shared/problem.ts'
import type { AnalysisRequest, AnalysisService } from './analysis-service.ts'
import type { ReadImage } from './image-source.ts'

/**
 * Reads a caller's picture and analyses it on the caller's behalf.
 * @throws {Problem} unreadable_image (400) with a pointer and the reason; overloaded (503)
 */
export type AnalyseImage = (
  image: Image,
  wanted: AnalysisStages,
  caller: AnalysisRequest,
  pointers?: ImagePointers,
) => Promise<Analysis>

export function createAnalyseImage(readImage: ReadImage, analysis: AnalysisService): AnalyseImage {
  return async (image, wanted, caller, pointers = imagePointers) => {
    const { accountId, signal, lease } = caller
    const picture = await readImage(image, { accountId, signal, ...(lease && { lease }) }, pointers)
    const pointer = image.bytes ? pointers.bytes : pointers.url
    const found = await analysis.analyse(picture, wanted, { accountId, signal }).catch((error) => {
      // The decoder does not know which member contained the picture.
      const isOfPicture = error instanceof Problem && error.code === 'unreadable_image'
      throw isOfPicture ? Problem.at(pointer, error.message, error.code) : error
    })
    caller.extraUses = (caller.extraUses ?? 0) + usesOf(found) - 1
    return found
  }
}

const facesOfOne = 5
const pixelsOfOne = 8_000_000

/** [Note: Large pictures count as several] How many typical analyses a picture counts as: one per 5 faces and 8 megapixels. */
export function usesOf({ width, height, faces }: Pick<Analysis, 'width' | 'height' | 'faces'>): number {
  return Math.max(1, Math.ceil(faces.length / facesOfOne), Math.ceil((width * height) / pixelsOfOne))
}
