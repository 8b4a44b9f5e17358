import * as v from 'valibot'
import { jsonObject } from '../elements.ts'
import { failedReasons } from '../sessions/session.ts'

export const onTheSpotResults = ['Pass', 'Fail', 'Pending'] as const

/** What a kiosk told the person on the spot. */
export const kioskAnswer = v.pipe(
  jsonObject({
    result: v.pipe(
      v.picklist(onTheSpotResults),
      v.description('`Pending` where the device could not tell: confirmed later.'),
    ),
    failedReasons: v.optional(
      v.pipe(
        v.array(v.picklist(failedReasons)),
        v.maxLength(failedReasons.length),
        v.description('Why the device answered Fail.'),
      ),
    ),
    estimatedAge: v.optional(
      v.pipe(v.number(), v.minValue(0), v.maxValue(150), v.description('Years, as the device estimated.')),
    ),
  }),
  v.description('What the kiosk told the person on the spot, without the server.'),
)
export type KioskAnswer = v.InferOutput<typeof kioskAnswer>
