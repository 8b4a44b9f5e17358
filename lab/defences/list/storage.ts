import type { Defence } from '../defence.ts'

const seal = 'tests/security/seal.test.ts'
const keyRing = 'server/platform/crypto/key-ring.ts'
const sealedStore = 'tests/security/sealed-store.test.ts'
const sealing = 'server/platform/store/sealed/sealed-store.ts'
const stamp = 'tests/server/platform/store/store-stamp.test.ts'
const audit = 'tests/server/features/audit/audit.test.ts'
const heads = 'tests/server/features/audit/heads/compare-heads.test.ts'
const outside = 'tests/server/features/audit/reported-outside.test.ts'
const verifying = 'server/features/audit/log/verify-log.ts'
const withdrawals = 'server/features/audit/withdrawals.ts'
const steady = 'tests/server/platform/store/steady-store.test.ts'
const log = 'tests/server/platform/telemetry/log.test.ts'
const logSource = 'server/platform/telemetry/log.ts'
const recording = 'server/platform/http/requests/request-record.ts'
const oneLine = 'leaves one line with what an operator needs, and nothing else'

/** The store, its seals, the audit log and the log of operations. */
export const storageDefences: readonly Defence[] = [
  {
    rows: ['1.2.4'],
    test: ['tests/conformance/store.test.ts', 'a table keeps owners and long, odd ids apart'],
    without: [['server/platform/store/tables.ts', "return hash('sha256', text, 'base64url')", 'return text']],
  },
  {
    rows: ['2.3.3'],
    test: [
      'tests/server/platform/store/transaction.test.ts',
      'writes nothing where a record that it read %s since',
    ],
    without: [
      [
        'server/platform/store/transaction.ts',
        'await store.commit([...writes.values()], [...guards.values()])',
        'await store.commit([...writes.values()], [])',
      ],
    ],
  },
  {
    rows: ['11.3.1-11.3.3'],
    test: [seal, 'does not open for %s'],
    without: [[keyRing, '  decipher.final()\n', '']],
  },
  {
    rows: ['11.3.1-11.3.3'],
    test: [seal, 'never looks the same twice'],
    without: [[keyRing, 'iv: Uint8Array = randomBytes(ivBytes)', 'iv: Uint8Array = Buffer.alloc(ivBytes)']],
  },
  {
    rows: ['13.3.2', 'theft of the store'],
    test: [seal, 'is made once, for its owner only, and refused where others may read it'],
    without: [
      [
        'server/platform/store/sealed/master-secret.ts',
        'if ((mode & 0o077) !== 0) throw',
        'if (mode === 0) throw',
      ],
    ],
  },
  {
    rows: ['11.3.1-11.3.3', 'a record altered'],
    test: [sealedStore, 'a record that was %s is not read'],
    without: [
      [
        sealing,
        'sealBytes(sealingKey, Buffer.from(key), value, iv)',
        'sealBytes(sealingKey, Buffer.alloc(0), value, iv)',
      ],
      [
        sealing,
        'openBytes(sealingKey, Buffer.from(key), stored.subarray(1))',
        'openBytes(sealingKey, Buffer.alloc(0), stored.subarray(1))',
      ],
    ],
  },
  {
    rows: ['theft of the store', 'names and addresses were stored'],
    test: [sealedStore, 'what is behind a sealed store holds nothing in the clear'],
    without: [
      [
        sealing,
        'Buffer.concat([form, sealBytes(sealingKey, Buffer.from(key), value, iv)])',
        'Buffer.concat([form, iv, value, Buffer.alloc(16)])',
      ],
    ],
  },
  {
    rows: ['14.2.4', 'theft of the store'],
    test: [
      'tests/security/embeddings-at-rest.test.ts',
      'an embedding, and whose it is, stands nowhere in the clear',
    ],
    without: [
      [
        'server/features/recognition/faces/stored-face.ts',
        'sealed: sealBytes(key, context, contentBytes(content, form))',
        'sealed: Buffer.concat([Buffer.alloc(12), contentBytes(content, form), Buffer.alloc(16)])',
      ],
      [
        'server/features/recognition/faces/stored-face.ts',
        'openBytes(key, record.subarray(0, end), record.subarray(end))',
        'Buffer.from(record.subarray(end).subarray(12, -16))',
      ],
      [
        'server/features/recognition/faces/stored-face.ts',
        'openBytes(key, context, sealed)',
        'Buffer.from(sealed.subarray(12, -16))',
      ],
    ],
  },
  {
    rows: ['11.2.2'],
    test: [stamp, 'a new store has the format of the program, and keeps it'],
    without: [
      [
        'server/platform/store/store-stamp.ts',
        "await stamps.insert(deployment, 'stamp', made)",
        'void made',
      ],
    ],
  },
  {
    rows: ['an older program on newer data', 'an older program worked'],
    test: [stamp, 'a store that takes a later program stops the start, in words'],
    without: [
      [
        'server/platform/store/store-stamp.ts',
        'if (refusal !== undefined) throw new Error(refusal)',
        'void refusal',
      ],
    ],
  },
  {
    rows: ['one unreadable record'],
    test: [
      'tests/server/app/passes/passes.test.ts',
      'a record of %s that cannot be read is left out by what looks at the store at a start, and told',
    ],
    without: [
      [
        'server/platform/store/tables.ts',
        'if (store.onUnreadable === undefined) throw error',
        'if (error !== undefined) throw error',
      ],
    ],
  },
  {
    rows: ['11.4.1', '11.4.3', 'an audit log that is edited'],
    test: [audit, 'finds an entry whose %s was edited'],
    without: [['server/features/audit/log/chain.ts', 'who, named, outcome])', 'who, named])']],
  },
  {
    rows: ['16.3.1-16.3.2', '16.3.3'],
    test: [audit, 'keeps what was refused'],
    without: [
      [
        'server/features/audit/audit.ts',
        "if (call.caller.kind !== 'anonymous') await record(name, endpoint, call, {}, code)",
        'void code',
      ],
    ],
  },
  {
    rows: ['16.4.2', 'an audit log that is edited'],
    test: [heads, 'sees an entry that was removed and written anew'],
    without: [
      [
        'server/features/audit/log/walk.ts',
        'return at === kept?.sequence && !sameSecret(kept.hash, found)',
        'return at === kept?.sequence && !sameSecret(found, found)',
      ],
      [
        verifying,
        "return entry.hash === kept.hash ? undefined : { fault: 'rewritten', at: sequence }",
        'return undefined',
      ],
    ],
  },
  {
    rows: ['a log was rolled back', 'an audit log that is edited'],
    test: [
      heads,
      'sees the newest entry removed together with a head that was put back, which the chain alone does not',
    ],
    without: [
      [
        verifying,
        'if (kept !== undefined && kept.sequence > head.sequence)',
        'if (kept !== undefined && kept.sequence < 0)',
      ],
    ],
  },
  {
    rows: ['a log was rolled back', 'the earlier record of a revoked key'],
    test: [heads, 'sees the former record of a revoked key that was put back, also by verify-audit-log'],
    without: [
      [
        withdrawals,
        'if (await isWithdrawn(accountId, withdrawal)) continue',
        'if (isWithdrawn !== undefined) continue',
      ],
    ],
  },
  {
    rows: ['a revoked key worked again', 'the earlier record of a revoked key'],
    test: [
      outside,
      'a store file that was put back is told at every start, and what was revoked since stays refused',
    ],
    without: [
      [
        'server/features/audit/heads/compare-heads.ts',
        'for (const { accountId, revoked } of withdrawals) reportedOutside.note(accountId, [revoked])',
        'void withdrawals',
      ],
    ],
  },
  {
    rows: ['a revoked key worked again'],
    test: [
      outside,
      'a revoked key whose former record was put back is refused at the next start, without any file',
    ],
    without: [[withdrawals, '  reportedOutside.note(accountId, withdrawals)\n', '']],
  },
  {
    rows: ['16.2.3', '16.4.3'],
    test: [
      'tests/server/features/audit/heads/head-sender.test.ts',
      'tells a file, a syslog server and a webhook by itself, of each account the newest head',
    ],
    without: [
      [
        'server/features/audit/heads/head-sender.ts',
        'const sent = targets.map((target)',
        'const sent = targets.slice(0, 1).map((target)',
      ],
    ],
  },
  {
    rows: ['a full or failing disk', 'a full disk ended the process'],
    test: [steady, 'a request that writes is a 503 with Retry-After, one that reads is answered'],
    without: [
      [
        'server/platform/store/steady-store.ts',
        'if (!(error instanceof WriteFailed)) throw error',
        'if (error !== undefined) throw error',
      ],
    ],
  },
  {
    rows: ['a full or failing disk'],
    test: [
      steady,
      'is asked for no further write until it has room; told once that it began and once that it ended',
    ],
    without: [
      ['server/platform/store/steady-store.ts', '    if (trouble !== undefined) throw refused()\n', ''],
    ],
  },
  {
    rows: ['16.2.1'],
    test: [log, oneLine],
    without: [[recording, 'record.accountId = caller.accountId', 'void caller.accountId']],
  },
  {
    rows: ['16.2.2'],
    test: [log, oneLine],
    without: [[logSource, 'pino.stdTimeFunctions.isoTime', 'pino.stdTimeFunctions.epochTime']],
  },
  {
    rows: ['16.2.4'],
    test: [log, oneLine],
    without: [[logSource, 'formatters: { level: labelled }', 'formatters: {}']],
  },
  {
    rows: ['16.3.1-16.3.2'],
    test: [log, 'names the route, never the path: %s'],
    without: [[recording, '  record.status = res.statusCode\n', '']],
  },
  {
    rows: ['16.4.1'],
    test: [log, 'names the route, never the path: %s'],
    without: [
      [
        recording,
        'const route = state.route ?? matchedRoute(ctx)',
        'const route = ctx.path ?? matchedRoute(ctx)',
      ],
    ],
  },
  {
    rows: ['14.2.4', '16.2.5', 'credentials in logs'],
    test: [log, 'is in no line, whatever is done with it and whatever goes wrong'],
    without: [
      [
        logSource,
        "return text.replace(secretLooking, '[removed]').slice(0, longestText)",
        'void secretLooking; return text.slice(0, longestText)',
      ],
    ],
  },
  {
    rows: ['a full disk logged'],
    test: [
      'tests/server/platform/telemetry/log-floods.test.ts',
      'a full disk writes a line of each kind, not one for each write that it refuses, and the rest is told together',
    ],
    without: [
      [
        'server/platform/telemetry/repeated-failures.ts',
        'if (kind === undefined) return begin(name, failure)',
        'if (kind !== failure) return begin(name, failure)',
      ],
    ],
  },
  {
    rows: ['a full disk logged'],
    test: [
      'tests/server/platform/telemetry/repeated-failures.test.ts',
      'loses none of them, whenever they come and however it ends',
    ],
    without: [
      [
        'server/platform/telemetry/repeated-failures.ts',
        'for (const kind of kinds.values()) release(kind)\n',
        '',
      ],
    ],
  },
  {
    rows: ['11.4.4'],
    test: [
      'tests/server/features/recognition/transfer/collection-export.test.ts',
      'writes a file for its owner alone, in which nothing stands in the clear',
    ],
    without: [['server/platform/sealed-files/file-key.ts', 'logN: 17', 'logN: 10']],
  },
  {
    rows: ['strangers who fill the store'],
    test: [
      'tests/server/features/sessions/opening/left-behind.test.ts',
      'is limited: the next one is a 429 that says when to come again; another address goes on',
    ],
    without: [
      [
        'server/features/sessions/opening/left-behind.ts',
        'if ((await leftBy(opener.network)) + opener.reservedBytes > mostBytes) throw tooMuch()',
        '',
      ],
    ],
  },
  {
    rows: ['strangers filled the store'],
    test: [
      'tests/contract/left-behind.test.ts',
      'is no more than declared, and stays no longer, on every route that says what',
    ],
    without: [
      [
        'server/features/openid/limits/request-limits.ts',
        'export const mostRequestBytes = 8 * 1024',
        'export const mostRequestBytes = 64 * 1024',
      ],
    ],
  },
  {
    rows: ['strangers filled the store'],
    test: [
      'tests/contract/left-behind.test.ts',
      'where the store is full, what would leave something is a 503 that says when to come again, and nothing is a 500',
    ],
    without: [
      [
        'server/platform/store/steady-store.ts',
        'if (!(error instanceof WriteFailed)) throw error',
        'if (error !== undefined) throw error',
      ],
    ],
  },
]
