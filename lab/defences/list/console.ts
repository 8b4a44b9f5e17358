import type { Defence } from '../defence.ts'

const authenticate = 'tests/server/app/serving/console/console-authenticate.test.ts'
const authentication = 'server/app/serving/console/console-authenticate.ts'
const cookie = 'tests/server/app/serving/console/console-cookie.test.ts'
const signIns = 'tests/server/features/operators/sign-ins.test.ts'
const signInsSource = 'server/features/operators/sign-ins.ts'
const console = 'tests/security/console.test.ts'
const provider = 'tests/server/features/operators/openid/provider-sign-in.test.ts'
const openid = 'server/features/operators/openid'
const stepUp = 'tests/server/features/callers/callers-step-up.test.ts'

/** The console: signing in, roles, and the end of a sign-in. */
export const consoleDefences: readonly Defence[] = [
  {
    rows: ['3.3.1-3.3.4'],
    test: [cookie, 'under https the cookie is bound to its host by name, and secure'],
    without: [['server/app/serving/console/console-cookie.ts', `'Path=/; Secure'`, `'Path=/'`]],
  },
  {
    rows: ['3.3.1-3.3.4'],
    test: [
      cookie,
      'the cookie is HttpOnly, SameSite=Strict, lives 12 hours at most, and goes when it is removed',
    ],
    without: [
      ['server/app/serving/console/console-cookie.ts', `'HttpOnly', 'SameSite=Strict'`, `'HttpOnly'`],
    ],
  },
  {
    rows: ['3.5.1-3.5.2', 'the console: a stolen cookie'],
    test: [authenticate, 'is refused from %s, whatever the cookie says'],
    without: [
      [
        authentication,
        `if (ctx.get('Sec-Fetch-Site') === 'same-origin' && (isRead || origin === own)) return`,
        `if (isRead || origin !== own || origin === own) return`,
      ],
    ],
  },
  {
    rows: ['3.5.1-3.5.2'],
    test: [authenticate, 'needs the origin where something is changed, and not where it only reads'],
    without: [
      [
        authentication,
        `const isRead = ctx.method === 'GET' && origin === ''`,
        `const isRead = origin === ''`,
      ],
    ],
  },
  {
    rows: ['7.2.3', 'the console: a stolen cookie'],
    test: [authenticate, 'is nobody with %s'],
    without: [[signInsSource, '|| !isWhole ', '|| typeof isWhole !== "boolean" ']],
  },
  {
    rows: ['7.2.4', '7.4.1'],
    test: [authenticate, 'is nobody after signing out, with all that was known before'],
    without: [
      [
        'server/features/operators/signed-in.ts',
        'await books.signIns.remove(signIn.operatorId, signIn.digest)',
        '',
      ],
    ],
  },
  {
    rows: ['8.3.1', 'the console: a stolen cookie'],
    test: [authenticate, 'is asked of every call: a role that is taken or changed counts from the next one'],
    without: [[authentication, 'if (!roles.includes(role))', 'if (roles.length === 0)']],
  },
  {
    rows: ['6.3.3'],
    test: ['tests/server/features/operators/getting-in.test.ts', 'refuses an answer that %s'],
    without: [
      [
        'server/platform/web-authn/web-authn.ts',
        'credential: { id, publicKey, counter, transports: [...transports] },',
        'credential: { id, publicKey, counter, transports: [...transports] },\n    requireUserVerification: false,',
      ],
    ],
  },
  {
    rows: ['7.3.1'],
    test: [signIns, 'ends after thirty minutes without a call, and not before'],
    without: [[signInsSource, ' || now() - seenAt(signIn) >= idleSeconds * 1000', ' || idleSeconds < 0']],
  },
  {
    rows: ['7.3.2', '7.6.1'],
    test: [signIns, 'ends after twelve hours, however busy'],
    without: [
      [signInsSource, 'now() - signIn.begunAt >= mostSeconds * 1000 ||', 'mostSeconds < 0 ||'],
      [
        'server/features/operators/operator-store.ts',
        '(signIn.begunAt - now()) / 1000 + signedInLimits.mostSeconds',
        '2 * signedInLimits.mostSeconds',
      ],
    ],
  },
  {
    rows: ['7.5.2'],
    test: [signIns, 'lists where a person is signed in, and ends one of them for good'],
    without: [
      [
        'server/features/operators/signed-in.ts',
        'await books.signIns.remove(signIn.operatorId, found.digest)',
        '',
      ],
    ],
  },
  {
    rows: ['7.4.3'],
    test: [
      'tests/server/features/operators/passkeys.test.ts',
      "are removed with what was begun with them, never the last, and nobody else's",
    ],
    without: [
      [
        'server/features/operators/passkeys.ts',
        '...begun.map(({ operatorId, digest }) => books.signIns.write(operatorId, digest, undefined)),',
        '',
      ],
    ],
  },
  {
    rows: ['7.4.5'],
    test: [
      'tests/server/features/operators/lock-out.test.ts',
      'who is locked out is signed out at once, and comes back by an invitation alone',
    ],
    without: [['server/features/operators/lock-out.ts', '...(await books.cutOff(operatorId)),', '']],
  },
  {
    rows: ['7.5.1', 'the console: a stolen cookie'],
    test: [
      'tests/server/app/serving/console/mount-console.test.ts',
      'asks for the passkey again after five minutes, where it is dangerous and nowhere else',
    ],
    without: [
      [
        authentication,
        'if (isDangerous && !isFresh) throw',
        'if (isDangerous && isFresh === undefined) throw',
      ],
    ],
  },
  {
    rows: ['7.5.1', 'five minutes after the passkey was shown'],
    test: [stepUp, '%s with the passkey alone, and the owners are told'],
    without: [
      [
        'server/features/callers/callers.ts',
        ` || caller.via !== 'operator' || caller.isFresh === true) return`,
        ` || caller.accountId !== '') return`,
      ],
    ],
  },
  {
    rows: ['five minutes after the passkey was shown'],
    test: [stepUp, 'does not go back to a weaker version without the passkey'],
    without: [
      [
        'server/features/callers/callers.ts',
        ` || caller.via !== 'operator' || caller.isFresh === true) return`,
        ` || caller.accountId !== '') return`,
      ],
    ],
  },
  {
    rows: ['8.2.1'],
    test: ['tests/server/app/serving/console/mount-console.test.ts', '$name: $may'],
    without: [[authentication, 'if (!roles.includes(role))', 'if (roles.length === 0)']],
  },
  {
    rows: ['7.6.2', '10.1.2'],
    test: [provider, 'counts once, for what was asked, and for five minutes'],
    without: [
      [
        'server/features/operators/ceremonies.ts',
        'expiresAt > now() && (await used.insert(deployment, challenge, true, 2 * livesForSeconds))',
        'expiresAt > 0',
      ],
    ],
  },
  {
    rows: ['7.4.2', '7.6.1'],
    test: [provider, 'lets nobody in any more who was removed or locked out'],
    without: [
      [
        'server/features/operators/operator-store.ts',
        ': [...gone, identities.write(deployment, identityKey(identity), undefined)]',
        ': gone',
      ],
    ],
  },
  {
    rows: ['6.8.1', '10.5.1-10.5.4'],
    test: [provider, 'binds each account at the provider to one person'],
    without: [
      [
        'server/features/operators/acceptance.ts',
        'if ((await table.get(deployment, id)) !== undefined) throw taken()',
        '',
      ],
      [
        'server/features/operators/acceptance.ts',
        'const guards = [...made.guards, table.absent(deployment, id)]',
        'const guards = [...made.guards]; void taken',
      ],
    ],
  },
  {
    rows: ['6.8.1', 'a verified address with the Kelvin sign'],
    test: [provider, 'gives no invitation to an address that is like it by %s'],
    without: [
      [
        'shared/identity/email-address.ts',
        'address.trim().replace(upperCase, (letter) => letter.toLowerCase())',
        'address.trim().normalize("NFKC").toLowerCase()',
      ],
    ],
  },
  {
    rows: ['6.8.2', '10.5.1-10.5.4'],
    test: [provider, 'is refused where another key has signed it'],
    without: [[`${openid}/provider.ts`, 'client.enableNonRepudiationChecks, ', '']],
  },
  {
    rows: ['6.8.2', '10.2.1-10.2.2', '10.5.1-10.5.4'],
    test: [provider, 'is refused where its token %s'],
    without: [[`${openid}/provider.ts`, 'nonce: client.randomNonce()', "nonce: 'x'"]],
  },
  {
    rows: ['10.2.1-10.2.2'],
    test: [provider, 'asks by the code flow with PKCE, state and nonce, and names itself'],
    without: [
      [
        `${openid}/provider.ts`,
        '        code_challenge: await client.calculatePKCECodeChallenge(held.verifier),\n',
        '',
      ],
      [`${openid}/provider.ts`, "        code_challenge_method: 'S256',\n", ''],
    ],
  },
  {
    rows: ['6.8.4'],
    test: [provider, 'shows nobody afresh by a sign-in of tomorrow'],
    without: [
      [
        `${openid}/provider-sign-in.ts`,
        'const isDated = !isIssuedAhead(authenticatedAt, now())',
        'const isDated = authenticatedAt !== null',
      ],
    ],
  },
  {
    rows: ['ID tokens and our own bearer tokens'],
    test: [provider, 'takes what is dated %s seconds ahead: %s'],
    without: [
      [`${openid}/provider.ts`, 'if (isIssuedAhead(claims.iat, now())) throw noAnswer(settings)', ''],
    ],
  },
  {
    rows: ['an invitation that is read', 'a removed owner came back'],
    test: [console, 'who %s meanwhile lets nobody in'],
    without: [
      [
        'server/features/operators/invitations.ts',
        "return invitedBy === undefined || memberOf(team, invitedBy)?.role === 'owner'",
        'return invitedBy !== ""',
      ],
      [
        'server/features/operators/operator-store.ts',
        'return [...(await endSignIns(operatorId)), ...withdrawn]',
        'return [...(await endSignIns(operatorId))]',
      ],
    ],
  },
  {
    rows: ['a removed owner came back'],
    test: [console, 'what earlier starts printed opens nothing once somebody is in'],
    without: [
      [
        'server/features/operators/invitations.ts',
        'if (isForFirst === true && team.members.length > 0) return false',
        '',
      ],
    ],
  },
  {
    rows: ['a removed person whose request body'],
    test: [console, 'makes no key for a person who was removed while it was'],
    without: [
      [
        'server/app/serving/console/mount-console.ts',
        'if (await signIns.isStill((request.caller as ConsoleCaller).known)) return handler(request)',
        'if (signIns !== undefined) return handler(request)',
      ],
    ],
  },
  {
    rows: ['a removed person whose request body'],
    test: [console, 'of two owners who take each other’s role at once one comes too late'],
    without: [
      [
        'server/features/operators/people.ts',
        "if (memberOf(before, signIn.operatorId)?.role !== 'owner')",
        'if (signIn === undefined)',
      ],
      [
        'server/app/serving/console/mount-console.ts',
        'if (await signIns.isStill((request.caller as ConsoleCaller).known)) return handler(request)',
        'if (signIns !== undefined) return handler(request)',
      ],
    ],
  },
  {
    rows: ['a tab that showed Test'],
    test: [console, 'changes nothing of what the other one went to'],
    without: [[authentication, 'if (isOfAccount) refuseMoved(ctx.get(showingHeader), known.signIn)', '']],
  },
  {
    rows: ['somebody who found an open sign-in'],
    test: [console, 'a stolen sign-in aims no webhook of a verification without the passkey'],
    without: [
      [
        'server/features/verifications/weakening.ts',
        "'webhookConfig.eventCallbackUrl': leads('resultElsewhere'),",
        "'webhookConfig.eventCallbackUrl': harmless,",
      ],
    ],
  },
  {
    rows: ['somebody who found an open sign-in'],
    test: [console, 'the passkey that one sign-in asked for says nothing for another one of the same person'],
    without: [
      [
        'server/features/operators/signed-in.ts',
        'return `again/${signInId}`',
        "return signInId === '' ? '' : 'again'",
      ],
    ],
  },
  {
    rows: ['a developer, who may not decide'],
    test: [
      'tests/server/features/operators/signed-in.test.ts',
      'makes and takes no key that may more than they',
    ],
    without: [
      [
        'server/features/accounts/handlers.ts',
        "if (via !== 'operator' || scopes.every((scope) => own.includes(scope))) return",
        "if (via !== '' || own === scopes) return",
      ],
    ],
  },
  {
    rows: ['look-alike names', 'a verified address with the Kelvin sign'],
    test: [console, 'that looks like one of the account is refused: %s'],
    without: [
      [
        'server/features/operators/look-alike-names.ts',
        'return small(a) === small(b) || standing(a) === standing(b)',
        'return a === b && small(a) === standing(b)',
      ],
    ],
  },
  {
    rows: ['look-alike names'],
    test: [console, 'with %s is refused'],
    without: [
      [
        'shared/contract/console/sign-in.ts',
        "v.check(isPlain, 'Must have no invisible character and none that changes the direction of the text.'),",
        '',
      ],
    ],
  },
  {
    rows: ['wrong keys shut out console users'],
    test: [console, 'wrong keys that come from their address shut nobody out who is signed in'],
    without: [
      [
        'server/app/serving/console/mount-console.ts',
        'const limits = { ...shared.limits, checkLogins: async () => {} }',
        'const limits = shared.limits',
      ],
    ],
  },
  {
    rows: ['wrong keys shut out console users'],
    test: [console, 'streams that are given up before they begin take no place for good'],
    without: [['server/app/serving/console/console-events.ts', 'if (ctx.res.closed) return\n', '']],
  },
  {
    rows: ['wrong keys shut out console users'],
    test: [console, 'a passkey that tells nonsense of how it is reached still opens the console'],
    without: [
      [
        'server/platform/web-authn/web-authn.ts',
        'transports: knownTransports.filter((one) => Array.isArray(transports) && transports.includes(one)),',
        'transports: transports as never,',
      ],
    ],
  },
]
