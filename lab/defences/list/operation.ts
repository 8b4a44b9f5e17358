import type { Defence } from '../defence.ts'

const settings = 'tests/server/app/settings.test.ts'
const image = 'tests/server/app/main-image.test.ts'
const embed = 'tests/web/embed/check-address.test.ts'
const limits = 'tests/contract/limits.test.ts'
const openapi = 'tests/contract/openapi.test.ts'
const openid = 'tests/server/features/openid/openid-attacks.test.ts'
const issuer = 'server/features/openid/issuer.ts'
const redis = 'tests/processes/redis.test.ts'

/** The contract, OpenID, packages, the image, commands, and the surroundings of an operator. */
export const operationDefences: readonly Defence[] = [
  {
    rows: ['1.2.9', 'slow regular expressions'],
    test: [
      'tests/security/regex.test.ts',
      'a megabyte of anything is read in time that grows with its length',
    ],
    without: [
      [
        'server/platform/telemetry/log.ts',
        'const secretLooking = /[\\w-]{32,}/g',
        'const secretLooking = /[\\w-]{1,200}!/g',
      ],
    ],
  },
  {
    rows: ['1.3.5', '2.2.1', '2.1.3', '5.1.1'],
    test: [limits, 'refuses %s'],
    without: [
      [
        'shared/contract/account/account.ts',
        "v.regex(/^#[0-9a-fA-F]{6}$/, 'Must be a colour such as #1a6b54.'),",
        '',
      ],
    ],
  },
  {
    rows: ['15.3.1'],
    test: [limits, 'takes %s'],
    without: [
      [
        'server/features/accounts/handlers.ts',
        '    accountId,\n    name,\n    created,\n    environment: environmentOf(account),',
        '    ...account,\n    environment: environmentOf(account),',
      ],
    ],
  },
  {
    rows: ['2.1.1'],
    test: [openapi, 'is current (npm run openapi writes it)'],
    without: [['docs/openapi.json', '"openapi": "3.1.0"', '"openapi": "3.0.0"']],
  },
  {
    rows: ['2.1.1'],
    test: [openapi, 'says what each parameter and each property means'],
    without: [
      [
        'shared/contract/account/account.ts',
        "  v.description('The colour of buttons and marks on the pages, `#rrggbb`.'),\n",
        '',
      ],
    ],
  },
  {
    rows: ['a misspelt name', 'a typo switched'],
    test: ['tests/contract/unknown-names.test.ts', '%s refuses a name at %s of its body'],
    without: [
      [
        'server/platform/http/requests/known-names.ts',
        'if (ignoresUnknownNames) return { query, body }',
        'if (ignoresUnknownNames !== null) return { query, body }',
      ],
    ],
  },
  {
    rows: ['a misspelt name'],
    test: [
      'tests/contract/unknown-names.test.ts',
      'every call of the console refuses names in query and body',
    ],
    without: [
      [
        'server/platform/http/requests/known-names.ts',
        'if (ignoresUnknownNames) return { query, body }',
        'if (ignoresUnknownNames !== null) return { query, body }',
      ],
    ],
  },
  {
    rows: ['a typo switched'],
    test: [
      'tests/server/features/verifications/unknown-names.test.ts',
      'is refused by every operation that takes a configuration',
    ],
    without: [
      [
        'shared/contract/sections.ts',
        'return Object.keys(sent).filter((name) => !Object.hasOwn(entries, name) && !isOwn(name))',
        'return isOwn.length === 1 ? [] : []',
      ],
    ],
  },
  {
    rows: ['a verified address with the Kelvin sign'],
    test: ['tests/security/odd-identities.test.ts', 'is not %j'],
    without: [['shared/identity/identity-text.ts', 'return !unfit.test(text)', "return !unfit.test('')"]],
  },
  {
    rows: ['1.2.2', '`link="javascript:…"`'],
    test: [embed, 'leads nobody to %j, wherever it is shown'],
    without: [
      [
        'web/embed/check-address.ts',
        "const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))",
        "const isSafe = protocol !== '' || loopback.test(hostname)",
      ],
    ],
  },
  {
    rows: ['3.5.5', 'messages to the wrong page', '`link="javascript:…"`'],
    test: [embed, 'takes no outcome that leads to a script, and waits on'],
    without: [
      [
        'web/embed/embed.ts',
        'if (sender !== origin || source !== from.window() || data === null) return',
        'if (sender !== origin || data === null) return',
      ],
    ],
  },
  {
    rows: ['3.5.4'],
    test: [
      'tests/server/app/main.test.ts',
      'stand on ports of their own, and a token of one is taken on the other',
    ],
    without: [
      [
        'server/app/serving/compose.ts',
        'mountEndpoints(endpoints, roles, services, shared)',
        "mountEndpoints(endpoints, ['configuration', 'security'], services, shared)",
      ],
    ],
  },
  {
    rows: ['10.4.1-10.4.9'],
    test: [openid, 'gets nothing by a code that was used, and a code that was used ends its tokens'],
    without: [[issuer, 'if (grantId !== undefined) await endGrant(entities, grantId)', 'void grantId']],
  },
  {
    rows: ['10.4.1-10.4.9'],
    test: [openid, 'gets a page, and no redirect, by a redirect address that differs by one character: %s'],
    without: [
      [
        issuer,
        'redirect_uris: [...client.redirectUris],',
        'redirect_uris: [...client.redirectUris, ...client.redirectUris.map((one) => `${one}/`)],',
      ],
    ],
  },
  {
    rows: ['10.4.1-10.4.9', '10.6.1-10.6.2'],
    test: [
      openid,
      'gets no visit without PKCE, by its plain form, by a request object or by another response',
    ],
    without: [[issuer, 'pkce: { required: () => true }', 'pkce: { required: () => false }']],
  },
  {
    rows: ['10.6.1-10.6.2'],
    test: ['tests/server/features/openid/sign-in.test.ts', 'leaves no session of ours behind'],
    without: [[issuer, "!cookie.startsWith('openid_none')", "!cookie.startsWith('openid_nothing')"]],
  },
  {
    rows: ['10.7.1-10.7.3'],
    test: [
      'tests/server/features/openid/sign-in.test.ts',
      'is a session of the verification, on our page, which names the site',
    ],
    without: [
      [
        'server/features/openid/visit-store.ts',
        'open: (environment, uid) => open.get(environment, uid),',
        "open: (environment) => open.get(environment, 'one'),",
      ],
      [
        'server/features/openid/visit-store.ts',
        'opening: (environment, uid, visit) => firstOf(open, environment, uid, visit),',
        "opening: (environment, _uid, visit) => firstOf(open, environment, 'one', visit),",
      ],
    ],
  },
  {
    rows: ['12.2.1'],
    test: [settings, 'count a public address, also where the server itself listens on loopback'],
    without: [
      [
        'server/app/warnings.ts',
        'return !listensOnLoopback || (configurationUrl !== undefined && !isLoopbackAddress(configurationUrl))',
        "return !listensOnLoopback || configurationUrl === ''",
      ],
    ],
  },
  {
    rows: ['five failures locked'],
    test: [settings, 'tell by %s that proxies and addresses do not fit each other'],
    without: [
      [
        'server/app/warnings.ts',
        '...when(isHttps && trustedProxies === 0, {',
        '...when(isHttps && trustedProxies < 0, {',
      ],
    ],
  },
  {
    rows: ['12.3.2'],
    test: [
      'tests/server/platform/store/drivers/postgres/postgres-address.test.ts',
      'the name in a certificate is checked by verify-full alone',
    ],
    without: [
      [
        'server/platform/store/drivers/postgres/postgres-address.ts',
        'checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate)',
        'checkServerIdentity: () => undefined, ...(host && checkServerIdentity ? {} : {})',
      ],
    ],
  },
  {
    rows: ['12.3.1', '12.3.2'],
    test: [
      'tests/server/platform/store/drivers/postgres/postgres-address.test.ts',
      '%s protects the way: %s',
    ],
    without: [
      [
        'server/platform/store/drivers/postgres/postgres-address.ts',
        "rejectUnauthorized: mode !== 'require' || root !== null,",
        'rejectUnauthorized: false,',
      ],
    ],
  },
  {
    rows: ['13.2.1'],
    test: [redis, '%s is given it, and it stands in no log, also after the server was away'],
    without: [
      [
        'server/platform/store/drivers/redis-connection.ts',
        'url: address,',
        "url: address.replace(/\\/\\/[^@]*@/, '//'),",
      ],
    ],
  },
  {
    rows: ['16.5.2'],
    test: [redis, 'dies answers 503 with the time to wait, and goes on when it is back'],
    without: [
      [
        'server/platform/store/drivers/redis.ts',
        "throw new Problem('overloaded', 'The store is unavailable. Try again later.', {\n      retryAfterInSeconds: 2,\n    })",
        'throw error',
      ],
    ],
  },
  {
    rows: ['16.5.3'],
    test: [redis, 'hangs answers 503 after some seconds, and goes on when it is back'],
    without: [
      [
        'server/platform/store/drivers/redis-connection.ts',
        '      socketTimeout: silentForMilliseconds,\n',
        '',
      ],
    ],
  },
  {
    rows: ['13.2.2'],
    test: [image, 'does not run as root, and starts the server without npm in between'],
    without: [['Dockerfile', '\nUSER node\n', '\n']],
  },
  {
    rows: ['13.2.2'],
    test: [image, 'gives nobody root, a disk to write on or all of the memory'],
    without: [['ops/compose.two-servers.yaml', '\n  read_only: true\n', '\n']],
  },
  {
    rows: ['13.4.1'],
    test: [image, 'copies nothing that holds what is secret or local'],
    without: [['.dockerignore', '\n*\n', '\n']],
  },
  {
    rows: ['13.4.2'],
    test: ['tests/server/app/main.test.ts', 'does not open the debugger when it is asked to'],
    without: [
      ['server/app/main.ts', "process.on('SIGUSR1', () => log.note('the debugger stays closed'))", ''],
    ],
  },
  {
    rows: ['13.4.5'],
    test: ['tests/server/platform/telemetry/figures/metrics.test.ts', 'is for administrators'],
    without: [
      [
        'server/app/serving/pages/metrics-page.ts',
        'if (!carries(ctx, page.token)) await admit(ctx, metrics, undefined)',
        'void carries; void admit',
      ],
    ],
  },
  {
    rows: ['15.1.2', 'altered packages'],
    test: [
      'tests/build/sbom.test.ts',
      'names every package that runs with its version and its hash, and none that only builds',
    ],
    without: [
      [
        'build/sbom.ts',
        "made.components.filter((one) => running.has(one['bom-ref']))",
        "made.components.filter((one) => running.has(one['bom-ref']) || one['bom-ref'] !== '')",
      ],
    ],
  },
  {
    rows: ['packages ran scripts', 'altered packages'],
    test: ['tests/security/lock.test.ts', '%s installs without running a script of a package'],
    without: [
      ['Dockerfile', 'RUN npm ci --ignore-scripts --workspaces=false', 'RUN npm ci --workspaces=false'],
    ],
  },
  {
    rows: ['packages ran scripts'],
    test: [image, 'stands on a Node that is supported, which a digest can pin for both stages'],
    without: [['Dockerfile', 'FROM ${BASE_IMAGE}\n', 'FROM debian:bookworm-slim\n']],
  },
  {
    rows: ['15.2.3'],
    test: ['tests/architecture/shipped.test.ts', 'nothing of the lab, the tests or the visits is shipped'],
    without: [
      [
        'shared/client/client.ts',
        "import { platform } from './platform.ts'",
        "import '../../lab/rivals/human.ts'\nimport { platform } from './platform.ts'",
      ],
    ],
  },
  {
    rows: ['15.3.2'],
    test: ['tests/security/webhook-targets.test.ts', 'and is not sent on to where a receiver points'],
    without: [
      [
        'server/platform/http/outbound/outbound.ts',
        '    await drain(answer)\n    return answer.statusCode ?? 0',
        '    await drain(answer)\n    const next = redirectOf(answer, new URL(address))\n    if (next !== undefined) return postOnce({ address: next.href, headers, body, timeoutInMilliseconds: 0 }, signal)\n    return answer.statusCode ?? 0',
      ],
    ],
  },
  {
    rows: ['15.3.5'],
    test: ['tests/architecture/compiler-and-linter.test.ts', 'refuses %s with %j'],
    without: [
      [
        'biome.json',
        '"suspicious": { "noExplicitAny": "error" },',
        '"suspicious": { "noExplicitAny": "off" },',
      ],
    ],
  },
  {
    rows: ['16.3.3'],
    test: ['tests/ops/ops.test.ts', 'each have a name of their own, a severity, a summary and what to do'],
    without: [
      [
        'ops/alerts.yaml',
        '          action: Look at its log and at /v1/readyz, which says what is missing.\n',
        '',
      ],
    ],
  },
  {
    rows: ['nobody was alerted'],
    test: ['tests/ops/alerts-told.test.ts', 'that counts what was lost or refused has an alert: %s'],
    without: [['ops/alerts.yaml', 'expr: increase(selfsame_webhooks_lost_total[30m]) > 0', 'expr: up > 1']],
  },
  {
    rows: ['nobody was alerted'],
    test: [
      'tests/server/platform/telemetry/figures/readings.test.ts',
      'what cannot be read is not a number, and hides no other figure',
    ],
    without: [
      [
        'server/platform/telemetry/figures/readings.ts',
        '  try {\n    return await read()\n  } catch {\n    return undefined\n  }',
        '  return await read()',
      ],
    ],
  },
  {
    rows: ['Redis was full'],
    test: [
      'tests/ops/sizes.test.ts',
      'gives Redis what a month of the load takes that it names, and not three times as much',
    ],
    without: [['compose.yaml', '${REDIS_MAXMEMORY:-2gb}', '${REDIS_MAXMEMORY:-1gb}']],
  },
  {
    rows: ['the image contained binaries'],
    test: ['tests/build/image-modules.test.ts', '%s: %s'],
    without: [
      [
        'build/image-modules.ts',
        'return native[1] !== platform || (native[2] !== undefined && native[2] !== arch)',
        'return native[2] !== undefined && native[2] !== arch && platform === ""',
      ],
    ],
  },
  {
    rows: ['a key with a line break'],
    test: ['tests/shared/client/sentences.test.ts', 'that %j is no key, without it'],
    without: [
      [
        'shared/client/sentences.ts',
        'if (/^[\\x21-\\x7e]*$/.test(value)) return value',
        'if (value.length >= 0) return value',
      ],
    ],
  },
  {
    rows: ['a command with the wrong settings'],
    test: [
      'tests/server/app/command/opening.test.ts',
      '%s says where it looked and what to set, and makes nothing',
    ],
    without: [
      [
        'server/app/command/opening.ts',
        ': await openMadeStore(settings, () => undefined)',
        ': await openStore(settings, () => undefined)',
      ],
    ],
  },
  {
    rows: ['the server contacted a third party'],
    test: [
      'tests/workers/node/native-library.test.ts',
      'is not loaded by a thread whose process has not refused',
    ],
    without: [
      [
        'workers/node/native-library.ts',
        "if (process.env[refusal] !== '1')",
        "if (process.env[refusal] === '2')",
      ],
    ],
  },
  {
    rows: ['the first key was lost'],
    test: [
      'tests/server/app/main-start.test.ts',
      'a start on a port that is taken tells the first key before it fails, and the next one takes it',
    ],
    without: [
      ['server/app/main.ts', 'announceKey(settings, firstAccount)\n', ''],
      ['server/app/main.ts', 'hasStarted()\n', 'hasStarted()\nannounceKey(settings, firstAccount)\n'],
    ],
  },
  {
    rows: ['the first key was lost'],
    test: ['tests/server/app/main-start.test.ts', 'the first key may be given, and is then never printed'],
    without: [
      [
        'server/app/announcement.ts',
        'if (settings.upkeep.firstApiKey !== undefined) console.log',
        'if (settings === undefined) console.log',
      ],
    ],
  },
  {
    rows: ['the pages said'],
    test: ['tests/lab/attacks/recorded.test.ts', 'drop every row of other sources, but never the baseline'],
    without: [
      ['lab/attacks/recorded.ts', 'before.sources === state.sources ? before.rows : []', 'before.rows'],
    ],
  },
  {
    rows: ['five minutes after the passkey was shown'],
    test: [
      'tests/server/features/verifications/weakening.test.ts',
      'weighs every member that the schema has, and no other',
    ],
    without: [
      [
        'server/features/verifications/weakening.ts',
        "  'webhookConfig.eventCallbackUrl': leads('resultElsewhere'),\n",
        '',
      ],
    ],
  },
  {
    rows: ['2.1.2'],
    test: [openapi, 'with the sentence of each of its rules'],
    without: [
      [
        'server/platform/http/description/unexpressed-rules.ts',
        "'`enableNonce` requires expiration to be enabled.'",
        "''",
      ],
    ],
  },
  {
    rows: ['3.7.1'],
    test: ['tests/security/headers.test.ts', 'stand on %s as %s'],
    without: [
      [
        'server/platform/http/responses/security-headers.ts',
        "const capture = `default-src 'none'",
        "const capture = `object-src *; default-src 'none'",
      ],
    ],
  },
  {
    rows: ['7.4.4'],
    test: [
      'tests/server/app/serving/console/console-authenticate.test.ts',
      'is nobody after signing out, with all that was known before',
    ],
    without: [
      [
        'server/features/operators/signed-in.ts',
        'await books.signIns.remove(signIn.operatorId, signIn.digest)',
        '',
      ],
    ],
  },
  {
    rows: ['14.3.1'],
    test: [
      'tests/web/kiosk/core/machine.test.ts',
      'asks who has gone, rests meanwhile, and is wiped when nobody answers',
    ],
    without: [
      [
        'web/kiosk/core/machine.ts',
        "effects: [{ type: 'endVisit' }, { type: 'resetLanguage' }]",
        "effects: [{ type: 'resetLanguage' }]",
      ],
    ],
  },
  {
    rows: ['14.3.3'],
    test: ['tests/web/kiosk/delivery/sealing.test.ts', 'shows nothing of itself where it is sealed'],
    without: [
      [
        'web/kiosk/delivery/sealing.ts',
        '  return new CompactEncrypt(bytesOf(signed))',
        "  if (sealingKey.kty === 'EC') return signed\n  return new CompactEncrypt(bytesOf(signed))",
      ],
    ],
  },
]
