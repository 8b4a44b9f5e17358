import * as v from 'valibot'
import { section } from '../sections.ts'

export const referenceTypes = ['Disabled', 'CalculationOnly', 'Verification'] as const

/** The default threshold for the reference picture, on the same scale as any comparison between two faces. */
export const defaultReferenceThreshold = 80

/** [Note: Ours] Checks that the person is the one in the caller's picture. */
export const referenceVerifier = v.pipe(
  section({
    type: v.optional(
      v.pipe(
        v.picklist(referenceTypes),
        v.description(
          'Compares the face with the `referenceImage` of create-session, which is then required: CalculationOnly returns the similarity, Verification fails below the threshold. Disabled by default. Sessions of this verification can only be opened with create-session, not by a link or at a kiosk.',
        ),
      ),
    ),
    threshold: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.maxValue(100),
        v.description(
          `Lowest similarity that passes Verification, on the scale of compare-face-embeddings; ${defaultReferenceThreshold} by default.`,
        ),
      ),
    ),
  }),
  v.description(
    'Checks that the person is the one in a supplied picture, such as the portrait of a document.',
  ),
)
