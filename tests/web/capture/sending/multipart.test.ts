import { expect, test } from 'vitest'
import { parseMultipart } from '#server/platform/http/requests/multipart.ts'
import { encodeMultipart } from '#web/capture/sending/multipart.ts'

test('the server reads what the page sends as it would have read JSON', () => {
  const frames = [{ bytes: Uint8Array.of(255, 216, 13, 10, 45, 45), time: 1200, challengeStep: 1 }]
  const trail = [1, 2].map((time) => ({ bytes: Uint8Array.of(time), time }))
  const consent = { given: true, wordingVersion: 'v', locale: 'de' }
  const { type, bytes } = encodeMultipart({ step: 1, consent, request: undefined }, { frames, trail })
  const base64 = (picture: { bytes: Uint8Array }) => ({
    ...picture,
    bytes: Buffer.from(picture.bytes).toString('base64'),
  })
  expect(parseMultipart(Buffer.from(bytes), /boundary=(.+)$/.exec(type)![1]!)).toEqual({
    step: 1,
    consent,
    frames: frames.map(base64),
    trail: trail.map(base64),
  })
})
