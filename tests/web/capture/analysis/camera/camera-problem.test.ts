import { describe, expect, test } from 'vitest'
import { type Circumstances, cameraCauseOf } from '#web/capture/analysis/camera/camera-problem.ts'
import type { CameraCause } from '#web/wording/findings.ts'

const usual: Circumstances = {
  permission: 'denied',
  allowedByPolicy: true,
  refusedAfterMilliseconds: 2000,
  isInsideApp: false,
}
/** The exact messages in Firefox 153 and WebKitGTK 2.50, whatever the reason is. */
const firefoxSays = 'The request is not allowed by the user agent or the platform in the current context.'
const webkitSays =
  'The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.'
const rows: [string, string, Partial<Circumstances>, CameraCause][] = [
  ['NotAllowedError', 'Permission denied', {}, 'blocked'],
  ['NotAllowedError', 'Permission denied', { permission: undefined }, 'blocked'],
  ['NotAllowedError', 'Permission dismissed', { permission: 'prompt' }, 'dismissed'],
  ['NotAllowedError', '', { permission: 'prompt' }, 'dismissed'],
  ['NotAllowedError', 'Permission denied by system', {}, 'blockedBySystem'],
  ['NotAllowedError', '', { permission: 'granted' }, 'blockedBySystem'],
  ['NotAllowedError', '', { allowedByPolicy: false }, 'embedded'],
  ['NotFoundError', '', { allowedByPolicy: false }, 'embedded'],
  ['SecurityError', '', {}, 'embedded'],
  ['NotAllowedError', firefoxSays, {}, 'blocked'],
  ['NotAllowedError', firefoxSays, { permission: 'prompt' }, 'dismissed'],
  ['NotAllowedError', firefoxSays, { permission: 'prompt', refusedAfterMilliseconds: 299 }, 'blocked'],
  ['NotAllowedError', firefoxSays, { permission: 'granted' }, 'blockedBySystem'],
  ['NotAllowedError', firefoxSays, { allowedByPolicy: false }, 'embedded'],
  ['NotAllowedError', webkitSays, {}, 'blocked'],
  ['NotAllowedError', webkitSays, { permission: undefined }, 'blocked'],
  ['NotAllowedError', webkitSays, { permission: 'prompt', refusedAfterMilliseconds: 14 }, 'blocked'],
  ['NotAllowedError', webkitSays, { allowedByPolicy: false }, 'embedded'],
  ['NotFoundError', 'The object can not be found here.', {}, 'noCamera'],
  ['NotFoundError', '', {}, 'noCamera'],
  ['OverconstrainedError', '', {}, 'noCamera'],
  ['NotReadableError', '', {}, 'inUse'],
  ['AbortError', '', {}, 'inUse'],
  ['NotAllowedError', webkitSays, { isInsideApp: true }, 'unsupportedApp'],
  ['NotAllowedError', webkitSays, { isInsideApp: true, allowedByPolicy: false }, 'embedded'],
  ['NotReadableError', '', { isInsideApp: true }, 'inUse'],
  ['TypeError', 'navigator.mediaDevices is undefined', {}, 'unsupportedApp'],
]

/** [Note: Not asked again] A prompt was closed once. A second refusal that comes back immediately was never shown to anyone. */
test.each([
  [firefoxSays, { permission: 'prompt' as const, refusedAfterMilliseconds: 20 }],
  ['Permission denied', { permission: 'denied' as const, refusedAfterMilliseconds: 20 }],
  [webkitSays, { permission: undefined, refusedAfterMilliseconds: 20 }],
])('a refusal that was shown to no one shows the browser’s help: %s', (message, second) => {
  const refused = { name: 'NotAllowedError', message }
  expect(cameraCauseOf(refused, { ...usual, ...second })).toBe('blocked')
})

describe('the cause of a camera error', () => {
  test.each(rows)('%s %s %o: %s', (name, message, more, cause) => {
    expect(cameraCauseOf({ name, message }, { ...usual, ...more })).toBe(cause)
  })
})
