import { describe, expect, test } from 'vitest'
import { type CameraCause, type Circumstances, cameraCauseOf } from '#web/visit/capture/camera-problem.ts'

const usual: Circumstances = { permission: 'denied', allowedByPolicy: true }
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
  ['NotFoundError', '', {}, 'noCamera'],
  ['OverconstrainedError', '', {}, 'noCamera'],
  ['NotReadableError', '', {}, 'inUse'],
  ['AbortError', '', {}, 'inUse'],
  ['TypeError', 'navigator.mediaDevices is undefined', {}, 'unsupportedApp'],
]

describe('the cause of a camera error', () => {
  test.each(rows)('%s %s %o: %s', (name, message, more, cause) => {
    expect(cameraCauseOf({ name, message }, { ...usual, ...more })).toBe(cause)
  })
})
