import * as v from 'valibot'
import { jsonObject } from '../elements.ts'
import { failedReasons } from './session.ts'

export const onTheSpotResults = ['Pass', 'Fail', 'Pending'] as const

/** The answer that the kiosk gave the person immediately. */
export const kioskAnswer = v.pipe(
  jsonObject({
    result: v.pipe(
      v.picklist(onTheSpotResults),
      v.description('`Pending` if the device could not decide; the server confirms later.'),
    ),
    failedReasons: v.optional(
      v.pipe(
        v.array(v.picklist(failedReasons)),
        v.maxLength(failedReasons.length),
        v.description('Why the device answered Fail.'),
      ),
    ),
    estimatedAge: v.optional(
      v.pipe(
        v.number(),
        v.minValue(0),
        v.maxValue(150),
        v.description('Age in years, as estimated by the device.'),
      ),
    ),
  }),
  v.description('The answer that the kiosk gave the person on the spot, without the server.'),
)
export type KioskAnswer = v.InferOutput<typeof kioskAnswer>
