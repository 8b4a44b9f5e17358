import { expect, test } from 'vitest'
import { heldTogether } from '#lab/torture/postgres/postgres.ts'

const noFault = { lostAcknowledged: 0, doubled: 0, revived: 0, auditFaults: 0, auditDifferences: 0 }
const whole = { ...noFault, acknowledged: 100, sessions: 10 }

test.each([
  ['everything was found', {}, true],
  ['something was lost', { lostAcknowledged: 1 }, false],
  ['something was doubled', { doubled: 1 }, false],
  ['something came back', { revived: 1 }, false],
  ['an audit log was not whole', { auditFaults: 1 }, false],
  ['two processes had different audit logs', { auditDifferences: 1 }, false],
  ['nothing was acknowledged', { acknowledged: 0 }, false],
  ['no session was passed', { sessions: 0 }, false],
])('if %s, it held together: %s', (_name, changed, expected) => {
  expect(heldTogether({ ...whole, ...changed })).toBe(expected)
})
