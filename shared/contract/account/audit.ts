import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../console/operator-roles.ts'
import { flag, nullableText, queryInteger, text, timestamp } from '../elements.ts'

export const pageLimit = { minimum: 1, maximum: 100, default: 50 } as const

/** How many entries a page has at most. */
export const limitOfPage = v.optional(
  v.pipe(
    queryInteger(pageLimit.minimum, pageLimit.maximum),
    v.description('How many entries to answer at most.'),
  ),
  pageLimit.default,
)

export const nextCursor = nullableText('Where the next page begins, or null on the last one.')

export const actorKinds = [
  'key',
  'bearer',
  'operator',
  'link',
  'session',
  'kiosk',
  'commandLine',
  'server',
] as const
export type ActorKind = (typeof actorKinds)[number]

export const auditEntry = v.object({
  sequence: v.pipe(
    v.number(),
    v.integer(),
    v.description('Counts the entries of the account, from 1 and without a gap.'),
  ),
  time: timestamp('When it was done.'),
  operation: text('What was done, by its name in the API document.'),
  actor: v.pipe(
    v.object({
      kind: v.pipe(v.picklist(actorKinds), v.description('What the actor proved themselves with.')),
      keyId: nullableText('The id of the API key, or of the key that made the bearer.'),
      tokenId: nullableText('The `jti` of the bearer.'),
      operator: v.optional(
        v.pipe(
          v.object({
            operatorId: text('The id of the person.'),
            name: text('What the person was called then.'),
          }),
          v.description('Who did it in the console; absent for every other kind.'),
        ),
      ),
    }),
    v.description('Who did it.'),
  ),
  resources: v.pipe(
    v.record(v.string(), v.string()),
    v.description(
      'What it was done to, ids by their names. Sessions and persons stand as salted hashes, whose salts go with them.',
    ),
  ),
  outcome: text('`succeeded`, or the code of the problem that it ended with.'),
  hash: text('Seals this entry and, through the one before, all that precede it.'),
})
export type AuditEntry = v.InferOutput<typeof auditEntry>

const sequence = v.pipe(
  queryInteger(1, Number.MAX_SAFE_INTEGER),
  v.description('The sequence of an entry whose hash was kept elsewhere.'),
)

export const getAuditLog = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'GET',
  path: '/v1/account/get-audit-log',
  console: builders,
  query: v.object({
    limit: limitOfPage,
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[1-9]\d{0,14}$/, 'Must be a nextCursor returned by this log.'),
        v.description('The `nextCursor` of the page before.'),
      ),
    ),
  }),
  result: v.object({
    entries: v.pipe(v.array(auditEntry), v.description('The entries, newest first.')),
    nextCursor,
  }),
  errors: [400, 401, 403],
  summary: 'Reads the audit log of the account, newest first.',
  description:
    'Every change is recorded: who did what to which resource, when, and how it ended. Stateless analyses, signatures and mere reading are not.',
  example: { query: { limit: 20 } },
  textVariant: true,
})

export const auditFaults = [
  'altered',
  'missing',
  'headMissing',
  'headAltered',
  'rewritten',
  'revocationUndone',
] as const

export const verifyAuditLog = endpoint({
  auth: 'key',
  scope: 'admin',
  method: 'GET',
  path: '/v1/account/verify-audit-log',
  console: builders,
  query: v.pipe(
    v.object({
      sequence: v.optional(sequence),
      hash: v.optional(v.pipe(v.string(), v.description('The hash that this entry had.'))),
    }),
    v.forward(
      v.check(
        (query) => (query.sequence === undefined) === (query.hash === undefined),
        'sequence and hash belong together.',
      ),
      ['hash'],
    ),
  ),
  result: v.object({
    valid: flag('Whether no entry was altered, removed, added or moved.'),
    checked: v.pipe(v.number(), v.integer(), v.description('How many entries were checked.')),
    fault: v.pipe(v.nullable(v.picklist(auditFaults)), v.description('What is wrong, or null.')),
    faultAt: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer())),
      v.description('The sequence of the first entry that is wrong, or null.'),
    ),
    head: v.pipe(
      v.nullable(
        v.object({
          sequence: v.pipe(v.number(), v.integer(), v.description('The sequence of the newest entry.')),
          hash: text('Its hash.'),
        }),
      ),
      v.description(
        'The end of the log. Keep it elsewhere, and give it back as `sequence` and `hash` another time.',
      ),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Checks that the audit log is whole.',
  description:
    'Who can write to the store, but lacks the master secret, can alter nothing unnoticed. Somebody who puts an older state of the whole store back is found by a hash that you kept elsewhere.',
  example: {},
  textVariant: true,
})

export const auditEndpoints = {
  getAuditLog,
  verifyAuditLog,
}
