import * as v from 'valibot'
import { section } from '../sections.ts'

export const referenceTypes = ['Disabled', 'CalculationOnly', 'Verification'] as const

/** What a reference picture must reach where nothing is said: the score of any single comparison. */
export const defaultReferenceThreshold = 80

/** [Note: Ours] Whether the person is the one in a picture that the caller gives. */
export const referenceVerifier = v.pipe(
  section({
    type: v.optional(
      v.pipe(
        v.picklist(referenceTypes),
        v.description(
          'Whether the face is compared with the `referenceImage` of create-session, which is then required: CalculationOnly answers the similarity, Verification fails below the threshold; Disabled when absent. Such a verification opens by create-session alone, never by a link or at a kiosk.',
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
          `The similarity from which on Verification passes, on the scale of compare-face-embeddings; ${defaultReferenceThreshold} when absent.`,
        ),
      ),
    ),
  }),
  v.description(
    'Whether the person is the one in a picture that the caller gives, such as the portrait of a document.',
  ),
)
