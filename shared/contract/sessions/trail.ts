import * as v from 'valibot'
import { flag, jsonObject } from '../elements.ts'

/** A trail's limits. `perSecond` is counted from when the session was opened, on the server's clock. */
export const trailLimits = { inAll: 240, bytes: 4096, longestSidePixels: 128, perSecond: 8 } as const

/** The film's requested frame rate and size: pictures per second, and pixels on the longer side. */
export const trailAsked = { perSecond: 6, pixels: 128 } as const

const trailPicture = jsonObject({
  bytes: v.pipe(
    v.string(),
    v.minLength(1),
    v.description(
      `Base64 of a JPEG; at most ${trailLimits.bytes} bytes, and ${trailLimits.longestSidePixels} pixels on the longer side.`,
    ),
  ),
  time: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description("Milliseconds since the camera started. A hint: the server's clock decides."),
  ),
})

/** [Note: Ours] The new part of a visit's film. */
export const trail = v.optional(
  v.pipe(
    v.array(trailPicture),
    v.maxLength(trailLimits.inAll, `At most ${trailLimits.inAll} pictures of the trail in all.`),
    v.description(
      `The film of the visit: small pictures since the previous request, in order of time. At most ${trailLimits.inAll} per visit, and ${trailLimits.perSecond} for each second since the session was opened. Examined if \`capturePlan.evidence\` requests it; never stored.`,
    ),
  ),
)

/** [Note: Ours] The evidence that a page should send in addition to the frames. */
export const evidence = v.pipe(
  v.nullable(
    v.object({
      trail: flag('True if a trail should be sent. Without one, less is known about the visit.'),
      required: v.optional(
        flag('True if a session without a trail and a turn of the head fails with `evidenceMissing`.'),
      ),
      trailPerSecond: v.pipe(v.number(), v.integer(), v.description('Number of pictures per second.')),
      trailPixels: v.pipe(v.number(), v.integer(), v.description('Longer side of each picture, in pixels.')),
    }),
  ),
  v.description('Evidence wanted besides the frames; null if liveness is not checked.'),
)
