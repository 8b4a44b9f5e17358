import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { builders } from '../../operator-roles.ts'
import { flag, nullableText, queryInteger, text, timestamp } from '../elements.ts'
import { limitOfPage, nextCursor } from '../paging.ts'

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
    v.description('Sequence number within the account, from 1 without gaps.'),
  ),
  time: timestamp('When the operation was performed.'),
  operation: text('The operation, by its name in the API document.'),
  actor: v.pipe(
    v.object({
      kind: v.pipe(v.picklist(actorKinds), v.description('How the actor authenticated.')),
      keyId: nullableText('The id of the API key, or of the key that issued the bearer.'),
      tokenId: nullableText('The `jti` of the bearer.'),
      operator: v.optional(
        v.pipe(
          v.object({
            operatorId: text('The id of the person.'),
            name: text('The name of the person at that time.'),
          }),
          v.description('The operator, if the actor used the console. Otherwise absent.'),
        ),
      ),
    }),
    v.description('The actor.'),
  ),
  resources: v.pipe(
    v.record(v.string(), v.string()),
    v.description(
      'Ids of the affected resources, by name. Sessions and persons appear as salted hashes whose salts are deleted with them.',
    ),
  ),
  outcome: text('`succeeded`, or the code of the problem.'),
  hash: text('Hash over this entry and, through the previous hash, all earlier ones.'),
})
export type AuditEntry = v.InferOutput<typeof auditEntry>

const sequence = v.pipe(
  queryInteger(1, Number.MAX_SAFE_INTEGER),
  v.description('The sequence of an entry whose hash you stored elsewhere.'),
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
        v.description('The `nextCursor` of the previous page.'),
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
    'Records every change: the actor, the resource, the time and the outcome. Stateless analyses, signatures and reads are not recorded.',
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
    valid: flag('True if no entry was altered, removed, added or moved.'),
    checked: v.pipe(v.number(), v.integer(), v.description('Number of checked entries.')),
    fault: v.pipe(v.nullable(v.picklist(auditFaults)), v.description('The fault that was found, or null.')),
    faultAt: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer())),
      v.description('The sequence of the first faulty entry, or null.'),
    ),
    head: v.pipe(
      v.nullable(
        v.object({
          sequence: v.pipe(v.number(), v.integer(), v.description('The sequence of the newest entry.')),
          hash: text('Its hash.'),
        }),
      ),
      v.description(
        'The newest entry. Store it elsewhere and send it as `sequence` and `hash` in a later check.',
      ),
    ),
  }),
  errors: [400, 401, 403],
  summary: 'Checks the integrity of the audit log.',
  description:
    'An attacker who can write to the store but lacks the master secret cannot change the log unnoticed. If the whole store is rolled back to an earlier state, a hash that you stored elsewhere reveals it.',
  example: {},
  textVariant: true,
})

export const auditEndpoints = {
  getAuditLog,
  verifyAuditLog,
}
