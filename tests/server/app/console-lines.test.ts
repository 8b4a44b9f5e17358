import { describe, expect, it, test } from 'vitest'
import { consoleLines, consoleTroubleOf } from '#server/app/console-lines.ts'
import { consoleOriginOf } from '#server/features/operators/console-origin.ts'
import type { Operator } from '#server/features/operators/operator-records.ts'

const invitations = {
  asked: [] as unknown[],
  make: async (asked: unknown) => {
    invitations.asked.push(asked)
    return { code: 'CODE' } as never
  },
}
const origin = 'http://localhost:8080'
const invite = [
  'DATA_DIR=/srv/check npm run account -- invite NAME --role owner',
  'There SECRET must be set.',
]

describe('the lines that a start prints about the console', () => {
  it('contain an address that lets an owner in once, for fifteen minutes, while the account has no people', async () => {
    const lines = await consoleLines({ invitations, origin, waitingAccountId: 'a', mayPrint: true, invite })
    expect(lines[0]).toBe('Console: http://localhost:8080/console#CODE')
    expect(lines[1]).toContain(`After that, run: ${invite[0]}`)
    expect(lines[2]).toBe(invite[1])
    expect(invitations.asked).toEqual([
      { accountId: 'a', name: null, role: 'owner', lifeInSeconds: 900, mayReplace: false, isForFirst: true },
    ])
  })

  it('contain no code if the log is collected, and say how to create one', async () => {
    invitations.asked = []
    const lines = await consoleLines({ invitations, origin, waitingAccountId: 'a', mayPrint: false, invite })
    expect(lines.join('\n')).not.toContain('#')
    expect(lines.slice(1)).toEqual([`To get in, run: ${invite[0]}`, invite[1]])
    expect(invitations.asked).toEqual([])
  })

  it('contain only the address later, and nothing if no sign-in is possible', async () => {
    const later = { invitations, waitingAccountId: undefined, mayPrint: true, invite }
    expect(await consoleLines({ ...later, origin })).toEqual(['Console: http://localhost:8080/console'])
    expect(await consoleLines({ ...later, origin: 'http://192.0.2.1:8080' })).toEqual([])
    expect(invitations.asked).toEqual([])
  })
})

test.each([
  ['http://127.0.0.1:8080', 'http://localhost:8080'],
  ['http://127.0.0.1', 'http://localhost'],
  ['http://[::1]:8080', 'http://localhost:8080'],
  ['http://0.0.0.0:8080', 'http://localhost:8080'],
  ['http://[::]:8080', 'http://localhost:8080'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['https://id.example/', 'https://id.example'],
  ['https://127.0.0.1:8443', 'https://127.0.0.1:8443'],
  ['http://192.0.2.1:8080', 'http://192.0.2.1:8080'],
])('the console of %s is at %s', (pages, expected) => {
  expect(consoleOriginOf(pages)).toBe(expected)
})

test.each([
  ['https://id.example', [], undefined],
  ['https://id.example', ['id.example'], undefined],
  ['https://id.example', ['id.example', 'localhost'], 'moved'],
  ['http://192.0.2.1:8080', ['localhost'], 'closed'],
  ['http://id.example', [], 'closed'],
  ['https://192.0.2.1', [], 'closed'],
] as const)('at %s, with passkeys of %j, its trouble is %s', (at, hosts, expected) => {
  const operators = hosts.map((relyingParty) => ({ relyingParty, passkeys: [{}] }) as unknown as Operator)
  const comesByProvider = { relyingParty: 'elsewhere.example', passkeys: [] as const } as unknown as Operator
  expect(consoleTroubleOf(at, [...operators, comesByProvider])).toBe(expected)
})
