import type { Defence } from '../defence.ts'

const tokens = 'tests/security/tokens.test.ts'
const signedTokens = 'server/features/tokens/signed-tokens.ts'
const credentials = 'tests/contract/credentials.test.ts'
const authenticate = 'server/app/serving/authenticate.ts'
const handoff = 'tests/security/handoff.test.ts'
const kiosk = 'tests/security/kiosk.test.ts'
const isRefused = 'with %s is refused'

/** Credentials: keys, bearers, the tokens of sessions and kiosks, and codes. */
export const callerDefences: readonly Defence[] = [
  {
    rows: ['7.2.1', '9.2.2', '10.3.1-10.3.4', 'session tokens used elsewhere', 'forged JWTs'],
    test: [tokens, isRefused],
    without: [[signedTokens, '      typ: type,\n', '']],
  },
  {
    rows: ['forged JWTs'],
    test: [tokens, isRefused],
    without: [[signedTokens, '      issuer: issuer(),\n', '']],
  },
  {
    rows: ['9.1.1-9.1.3', '11.2.3', 'forged tokens'],
    test: [tokens, 'without a signature, or with one of another kind, is refused'],
    without: [
      [signedTokens, 'jwtVerify }', 'jwtVerify, decodeJwt, decodeProtectedHeader }'],
      [
        signedTokens,
        'await jwtVerify(token, ',
        'await (async (_t: string, _k: unknown, _o: unknown) => ({ payload: decodeJwt(token), protectedHeader: decodeProtectedHeader(token) as JWTHeaderParameters }))(token, ',
      ],
    ],
  },
  {
    rows: ['7.3.2', '9.2.1'],
    test: [tokens, 'lasts 900 seconds by default, and the token dies then'],
    without: [[signedTokens, 'currentDate: new Date(now())', 'currentDate: new Date(0)']],
  },
  {
    rows: ['9.2.1', 'ID tokens and our own bearer tokens'],
    test: [tokens, 'that was issued in %s seconds is taken: %s'],
    without: [[signedTokens, 'if (isIssuedAhead(payload.iat, now())) return undefined', '']],
  },
  {
    rows: ['7.2.2', 'weaker bearer tokens'],
    test: [tokens, 'carries the documented claims, and never admin or tokens'],
    without: [
      [
        'server/features/tokens/handlers.ts',
        'const scopes = bearerScopes.filter((scope) => caller.scopes.includes(scope))',
        'const scopes = caller.scopes',
      ],
    ],
  },
  {
    rows: ['7.4.1'],
    test: [tokens, 'refuses a revoked key and every bearer made with it'],
    without: [[authenticate, ' || key.revoked !== null', '']],
  },
  {
    rows: ['10.3.1-10.3.4'],
    test: [tokens, '%s lets in who it should, and nobody else'],
    without: [
      [
        authenticate,
        'endpoint.scope !== undefined && !who.scopes.includes(endpoint.scope)',
        'endpoint.scope === "none"',
      ],
    ],
  },
  {
    rows: ['11.6.1'],
    test: [tokens, 'the published keys hold no private part, and verify what the server signs'],
    without: [
      ['server/features/tokens/token-keys.ts', 'publicJwk: { ...publicPart,', 'publicJwk: { ...jwk,'],
    ],
  },
  {
    rows: ['9.2.3-9.2.4', 'a token or link of another region'],
    test: [
      'tests/security/region.test.ts',
      'name their region, and are refused in another one even where the keys are the same',
    ],
    without: [[signedTokens, '      audience: region,\n', '']],
  },
  {
    rows: ['6.3.4'],
    test: [credentials, 'refuses what is valid elsewhere: %s'],
    without: [
      [authenticate, `if (credential.scheme === 'bearer' && auth === 'key') throw unauthenticated()`, ''],
    ],
  },
  {
    rows: ['8.2.1', 'weaker bearer tokens'],
    test: [credentials, "needs ${scope ?? 'no scope'}, and no other"],
    without: [
      [
        authenticate,
        'endpoint.scope !== undefined && !who.scopes.includes(endpoint.scope)',
        'endpoint.scope === "none"',
      ],
    ],
  },
  {
    rows: ['7.4.2'],
    test: [credentials, 'answers 403 to a key of an account that is gone'],
    without: [
      [
        authenticate,
        `const { accountId, keyId, scopes } = key
    const account = existing(await accounts.find(accountId))`,
        `const { accountId, keyId, scopes } = key
    const account = (await accounts.find(accountId))!`,
      ],
    ],
  },
  {
    rows: ['6.5.1', '2.3.4', 'session tokens used elsewhere'],
    test: [handoff, 'of 50 devices that come with one code at once, one takes the session over'],
    without: [
      [
        'server/features/sessions/handoff/handoff.ts',
        'taken: device, codeDigest: null, number',
        'taken: device, number',
      ],
    ],
  },
  {
    rows: ['6.5.3-6.5.5', '11.5.1'],
    test: [handoff, 'has 50 bits of chance'],
    without: [
      ['server/platform/crypto/readable-code.ts', 'randomInt(handoffAlphabet.length)', 'randomInt(2)'],
    ],
  },
  {
    rows: ['6.5.3-6.5.5'],
    test: [handoff, '%i seconds old answers %s'],
    without: [
      [
        'server/features/sessions/handoff/handoff.ts',
        'const codeLifetimeInSeconds = 180',
        'const codeLifetimeInSeconds = 1800',
      ],
    ],
  },
  {
    rows: ['6.6.2'],
    test: [handoff, 'does not outlive its session'],
    without: [
      [
        'server/features/sessions/access.ts',
        'if (!isOverdue(read.value, now()) && !(await isOrphaned(read.value))) return read',
        'if (!(await isOrphaned(read.value))) return read',
      ],
    ],
  },
  {
    rows: ['6.6.3'],
    test: [handoff, 'is guessed no more often than the sessions of an address may be opened'],
    without: [['shared/contract/sessions/session-handoff.ts', "rate: 'inits'", "rate: 'uncounted'"]],
  },
  {
    rows: ['10.1.1'],
    test: [
      'tests/server/features/sessions/opening/creation.test.ts',
      'gives a captureUrl that the page reads, with the token behind the hash',
    ],
    without: [
      ['server/features/sessions/opening/creation.ts', '}#${sessionToken}`', '}?token=${sessionToken}`'],
    ],
  },
  {
    rows: ['14.2.1', 'a stolen link'],
    test: [handoff, 'stands in the address behind the #, which no server and no referrer sees'],
    without: [['server/features/sessions/handoff/handoff.ts', '/handoff#', '/handoff?code=']],
  },
  {
    rows: ['10.4.10'],
    test: [kiosk, 'of another key is refused'],
    without: [
      [
        'server/features/kiosks/assertions.ts',
        "import { importJWK, jwtVerify } from 'jose'",
        "import { decodeJwt, importJWK } from 'jose'\nconst jwtVerify = async (token: string, _key: unknown, _options: unknown) => ({ payload: decodeJwt(token) })",
      ],
    ],
  },
  {
    rows: ['10.4.11'],
    test: [kiosk, 'carries the scope kiosk, and lasts 15 minutes'],
    without: [
      [
        'server/features/kiosks/kiosk-token.ts',
        'const lifetimeInSeconds = 900',
        'const lifetimeInSeconds = 9000',
      ],
    ],
  },
  {
    rows: ["a kiosk's captures sent again"],
    test: [kiosk, 'with a sequence that another one had is refused, and judges nothing'],
    without: [
      [
        'server/features/kiosks/capture-sessions.ts',
        'if (!isFree(before.sequence, captureId)) throw sequenceUsed()',
        '',
      ],
    ],
  },
  {
    rows: ['6.4.1'],
    test: [
      'tests/server/features/kiosks/kiosks.test.ts',
      'answers a code of 50 bits for 15 minutes, which stands behind the # of the address',
    ],
    without: [['shared/contract/kiosk/kiosk-limits.ts', 'pairingInMinutes: 15', 'pairingInMinutes: 150']],
  },
  {
    rows: ['8.2.3', 'a webhook aimed at'],
    test: [
      'tests/security/callback.test.ts',
      'aims a webhook only with every scope of the key that it carries',
    ],
    without: [
      [
        'server/features/verifications/verifications.ts',
        'if (!needed.every((scope) => caller.scopes.includes(scope)))',
        'if (needed === undefined)',
      ],
    ],
  },
  {
    rows: ['8.2.3', "a repeat under an owner's"],
    test: [
      'tests/server/features/idempotency/idempotency-permission.test.ts',
      'makes no key that the role may not make, nor touches one',
    ],
    without: [['server/features/idempotency/once.ts', '    await mayRepeat()\n', '']],
  },
  {
    rows: ["a repeat under an owner's"],
    test: [
      'tests/server/features/idempotency/idempotency-permission.test.ts',
      '%s is refused to whoever the call is refused to',
    ],
    without: [['server/features/idempotency/once.ts', '    await mayRepeat()\n', '']],
  },
  {
    rows: ['8.2.2', "another account's resources"],
    test: ['tests/contract/tenants.test.ts', "answers 404 for another account's, and leaves it as it is"],
    without: [
      [
        'server/platform/store/tables.ts',
        '{ prefix: `${kind}/${digest(owner)}/`, byId',
        '{ prefix: `${kind}/${digest(kind === "verification" ? "" : owner)}/`, byId',
      ],
    ],
  },
  {
    rows: ['8.4.1', 'the resources of another account'],
    test: ['tests/security/tenants.test.ts', 'deletes nothing of this one by the same names'],
    without: [
      [
        'server/platform/store/tables.ts',
        '{ prefix: `${kind}/${digest(owner)}/`, byId',
        '{ prefix: `${kind}/${digest(kind === "collection" ? "" : owner)}/`, byId',
      ],
    ],
  },
  {
    rows: ['8.4.1'],
    test: ['tests/security/tenants.test.ts', 'lists nothing of this one'],
    without: [
      [
        'server/platform/store/tables.ts',
        '{ prefix: `${kind}/${digest(owner)}/`, byId',
        '{ prefix: `${kind}/${digest(kind === "verification" ? "" : owner)}/`, byId',
      ],
    ],
  },
  {
    rows: ['6.3.2', '11.5.1', '13.2.3'],
    test: [tokens, '%s has 256 random bits'],
    without: [
      [
        'server/features/accounts/api-keys.ts',
        "value = randomBytes(32).toString('base64url')",
        "value = Buffer.alloc(32, randomBytes(2)).toString('base64url')",
      ],
    ],
  },
  {
    rows: ['7.2.3'],
    test: [tokens, '%s has 256 random bits'],
    without: [
      [
        'server/features/operators/operator-store.ts',
        "return randomBytes(32).toString('base64url')",
        "return randomBytes(16).toString('base64url')",
      ],
    ],
  },
]
