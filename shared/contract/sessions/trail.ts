import * as v from 'valibot'
import { flag, jsonObject } from '../elements.ts'

/** What a trail may be. `perSecond` counts since the session was opened, by the server's clock. */
export const trailLimits = { inAll: 240, bytes: 4096, longestSidePixels: 128, perSecond: 8 } as const

/** How the page is asked to film: pictures a second, and pixels of the longer side. */
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

/** [Note: Ours] The thin film of a visit, as much of it as is new. */
export const trail = v.optional(
  v.pipe(
    v.array(trailPicture),
    v.maxLength(trailLimits.inAll, `At most ${trailLimits.inAll} pictures of the trail in all.`),
    v.description(
      `A thin film of the visit: small pictures since the request before, in the order of time. At most ${trailLimits.inAll} a visit, and ${trailLimits.perSecond} for each second since the session was opened. Looked at where \`capturePlan.evidence\` asks for it; never stored.`,
    ),
  ),
)

/** [Note: Ours] What a page is asked to send besides the frames. */
export const evidence = v.pipe(
  v.nullable(
    v.object({
      trail: flag('A trail is wanted: without it less is known of the visit.'),
      required: v.optional(
        flag('Without it, and without a turn of the head, the session fails with `evidenceMissing`.'),
      ),
      trailPerSecond: v.pipe(v.number(), v.integer(), v.description('How many pictures a second.')),
      trailPixels: v.pipe(v.number(), v.integer(), v.description('The longer side of each, in pixels.')),
    }),
  ),
  v.description('What is wanted besides the frames; null where liveness is not checked.'),
)
