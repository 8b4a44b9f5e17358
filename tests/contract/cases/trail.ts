import { fakeJpeg } from '../../support/drawn/fake-picture.ts'
import { newVerification, openSession } from '../../support/visit.ts'
import type { Limit } from '../contract-case.ts'
import type { Setting } from '../setting.ts'

const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }

const sized = (width: number, height: number) =>
  Buffer.from(fakeJpeg({ person: 'anna' }, width, height)).toString('base64')

/** A picture that is `bytes` bytes long. The decoder ignores anything after the scan. */
const weighing = (bytes: number) => {
  const picture = fakeJpeg({ person: 'anna' }, 128, 72)
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]).toString('base64')
}

const picture = (given: object = {}) => ({ bytes: sized(128, 72), time: 0, ...given })
const pictures = (count: number) => Array.from({ length: count }, (_, i) => picture({ time: i * 125 }))

/** Opens a session that started `seconds` seconds ago. */
async function openedFor(seconds: number, { host }: Setting) {
  const { bearer } = await openSession(host, await newVerification(host, live))
  host.pass(seconds * 1000)
  return { authorization: `Bearer ${bearer}` }
}

/** The limits for a trail, which are the same for submit-step and submit-session. */
export function trailLimitsOf(bodyWith: (trail: unknown) => object): Limit[] {
  const sending =
    <Value>(trailOf: (value: Value) => unknown, seconds = 60) =>
    async (setting: Setting, value: Value) => ({
      ...(await openedFor(seconds, setting)),
      body: bodyWith(trailOf(value)),
    })
  return [
    {
      says: 'product: at most 240 pictures of the trail a visit',
      within: [0, 240],
      beyond: [241],
      pointer: '#/trail',
      send: sending(pictures),
    },
    {
      says: 'product: at most 8 pictures of the trail for each second since the session was opened',
      within: [80],
      beyond: [81],
      pointer: '#/trail',
      send: sending(pictures, 10),
    },
    {
      says: 'product: a picture of the trail has at most 4,096 bytes',
      within: [4096],
      beyond: [4097],
      pointer: '#/trail/1/bytes',
      send: sending((bytes: number) => [picture(), picture({ bytes: weighing(bytes) })]),
    },
    {
      says: 'product: a picture of the trail has at most 128 pixels on the longer side',
      within: [
        [128, 72],
        [72, 128],
        [1, 1],
      ],
      beyond: [
        [129, 72],
        [72, 129],
      ],
      pointer: '#/trail/0/bytes',
      send: sending(([width, height]: [number, number]) => [picture({ bytes: sized(width, height) })]),
    },
    {
      says: 'product: a picture of the trail is a JPEG',
      within: [sized(128, 72)],
      beyond: ['', 'AAAA', '/9j/', 'not Base64'],
      pointer: '#/trail/0/bytes',
      send: sending((bytes: string) => [picture({ bytes })]),
    },
    {
      says: 'product: the time of a picture of the trail is an integer',
      within: [0, 1],
      beyond: [-1, 0.5, '0'],
      pointer: '#/trail/0/time',
      send: sending((time: unknown) => [picture({ time })]),
    },
  ]
}
