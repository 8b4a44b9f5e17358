import type { Defence } from '../defence.ts'

const headers = 'tests/security/headers.test.ts'
const headerTable = 'server/platform/http/responses/security-headers.ts'
const broken = 'tests/server/platform/http/requests/broken-requests.test.ts'
const bodies = 'tests/server/platform/http/requests/body-bytes.test.ts'
const outbound = 'tests/server/platform/http/outbound/outbound-ssrf.test.ts'
const serving = 'tests/server/app/serving/serving.test.ts'
const stand = 'stand on %s as %s'

/** Requests and answers: limits, headers, addresses. */
export const httpDefences: readonly Defence[] = [
  {
    rows: ['1.1.2', '1.2.1', '3.2.2', 'markup in the demo'],
    test: ['tests/server/app/demo/demo.test.ts', 'shows what came in as text, never as markup'],
    without: [['server/platform/http/responses/html.ts', `'<': '&lt;'`, `'<': '<'`]],
  },
  {
    rows: ['1.2.1'],
    test: [broken, 'is adopted from the caller only where it looks like one: %s'],
    without: [['server/platform/http/requests/request-id.ts', '&& adoptable.test(given) ?', '?']],
  },
  {
    rows: ['1.2.3', '3.4.3'],
    test: [headers, stand],
    without: [
      [
        headerTable,
        `script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'\``,
        `script-src 'self' 'unsafe-inline'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'\``,
      ],
    ],
  },
  {
    rows: ['1.3.2'],
    test: [headers, stand],
    without: [[headerTable, `'wasm-unsafe-eval'`, `'unsafe-eval'`]],
  },
  {
    rows: ['3.2.1'],
    test: [headers, stand],
    without: [[headerTable, `'Cross-Origin-Resource-Policy': row.resource,`, '']],
  },
  {
    rows: ['3.4.1'],
    test: [headers, stand],
    without: [[headerTable, `'max-age=31536000'`, `'max-age=0'`]],
  },
  {
    rows: ['3.4.4'],
    test: [headers, stand],
    without: [[headerTable, `'X-Content-Type-Options': 'nosniff',`, '']],
  },
  {
    rows: ['3.4.5'],
    test: [headers, stand],
    without: [[headerTable, `'Referrer-Policy': 'no-referrer',`, '']],
  },
  {
    rows: ['3.4.6', 'clickjacking'],
    test: [headers, stand],
    without: [
      [
        headerTable,
        `api: {
    csp: \`default-src 'none'; frame-ancestors 'none'\``,
        `api: {
    csp: \`default-src 'none'\``,
      ],
    ],
  },
  {
    rows: ['clickjacking'],
    test: [headers, stand],
    without: [
      [
        headerTable,
        `allowed.length === 0 ? "'none'" : allowed.join(' ')`,
        `allowed.length === 0 ? "'none'" : '*'`,
      ],
    ],
  },
  {
    rows: ['14.2.2', '14.3.2'],
    test: [headers, stand],
    without: [[headerTable, `...(kind === 'api' ? { 'Cache-Control': 'no-store' } : {}),`, '']],
  },
  {
    rows: ['14.2.3'],
    test: [headers, stand],
    without: [
      [
        headerTable,
        `img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'\``,
        `img-src 'self' blob: data:; connect-src *; manifest-src 'self'; base-uri 'none'; form-action 'none'\``,
      ],
    ],
  },
  {
    rows: ['14.2.3'],
    test: [
      'tests/server/platform/http/responses/swagger.test.ts',
      'refers to this host only, and to nothing inline',
    ],
    without: [
      [
        'server/platform/http/responses/swagger-page.ts',
        '<link rel="icon" type="image/png" href="',
        '<link rel="icon" type="image/png" href="https://cdn.example',
      ],
    ],
  },
  {
    rows: ['1.3.3', '1.5.2', 'deep or huge JSON'],
    test: ['tests/security/json.test.ts', 'is refused at once: %s'],
    without: [
      [
        'server/platform/http/requests/validation.ts',
        'const mostChecked = 2000',
        'const mostChecked = Infinity',
      ],
    ],
  },
  {
    rows: ['deep or huge JSON'],
    test: ['tests/security/json.test.ts', 'a body nests %d levels: %d'],
    without: [['server/platform/http/requests/body.ts', 'const deepest = 32', 'const deepest = 64']],
  },
  {
    rows: ['15.3.3', '15.3.6'],
    test: [
      'tests/security/json.test.ts',
      'are unknown names like any other within one, each told, and reach no prototype',
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
    rows: ['1.3.6', '13.2.4-13.2.5', 'server-side request forgery', '49 addresses of internal networks'],
    test: [outbound, 'is not asked: %s'],
    without: [
      // Of this machine alone, so that a run asks nothing of any other one.
      ['server/platform/http/outbound/addresses.ts', "  ['127.0.0.0', 8],\n", ''],
    ],
  },
  {
    rows: ['1.3.6', 'server-side request forgery'],
    test: [outbound, 'is not asked after a redirect: %s'],
    without: [
      [
        'server/platform/http/outbound/outbound.ts',
        `const answer = await open(url, mayGetFrom, {`,
        `const answer = await open(url, redirects > 0 ? (_host, ip) => ip.startsWith('127.') : mayGetFrom, {`,
      ],
    ],
  },
  {
    rows: ['1.3.6', 'server-side request forgery', '49 addresses of internal networks'],
    test: [outbound, 'is resolved once, whatever its name stands for a moment later'],
    without: [
      [
        'server/platform/http/outbound/outbound.ts',
        'const lookup = answering(checked) as never',
        'const lookup = ((host: string, options: never, callback: never) => void resolveName(host).then((all) => answering(all[0]!)(host, options, callback))) as never; void checked',
      ],
    ],
  },
  {
    rows: ['2.3.2', '2.4.1'],
    test: [
      'tests/server/platform/http/limits/rate-limits.test.ts',
      'tells on every answer what is left, and answers 429 beyond',
    ],
    without: [
      ['server/platform/http/limits/rate-limits.ts', 'if (usage.count > by.limit) throw tooMany(usage)', ''],
    ],
  },
  {
    rows: ['6.3.1'],
    test: [
      'tests/server/platform/http/limits/rate-limits.test.ts',
      'are limited for each address, also for the right one afterwards',
    ],
    without: [
      [
        'server/platform/http/limits/rate-limits.ts',
        'if (usage.count < limits.failedLogins) return',
        'if (usage.count >= 0) return',
      ],
    ],
  },
  {
    rows: ['one account starved all others'],
    test: [
      'tests/server/platform/http/limits/rate-limits.test.ts',
      'counts a picture of many faces as several, and the next one feels it',
    ],
    without: [
      [
        'server/app/serving/mount.ts',
        'await limits.chargeMore(ctx, pictures, caller, caller.extraUses ?? 0)',
        '',
      ],
    ],
  },
  {
    rows: ['3.4.2'],
    test: [
      'tests/server/platform/http/responses/cross-origin.test.ts',
      'say nothing to others, and nothing by default',
    ],
    without: [
      [
        'server/platform/http/responses/cross-origin.ts',
        `origin !== '' && (origins.includes('*') || origins.includes(origin))`,
        `origin !== ''`,
      ],
    ],
  },
  {
    rows: ['3.5.3', '13.4.4'],
    test: [broken, '%s %s is a 405 that tells which there are'],
    without: [
      [
        'server/platform/http/responses/unmatched.ts',
        `if (ctx.method !== 'OPTIONS')`,
        `if (ctx.method === 'PATCH')`,
      ],
    ],
  },
  {
    rows: ['4.1.1'],
    test: [serving, 'for Accept: %s'],
    without: [
      ['server/platform/http/responses/answer.ts', 'ctx.type = type', `ctx.set('Content-Type', type)`],
    ],
  },
  {
    rows: ['4.1.3', '15.3.4', 'forged `X-Forwarded-…`'],
    test: [broken, 'is read as far as %s proxies wrote it'],
    without: [
      [
        'server/app/serving/compose.ts',
        '{ proxy: site.trustedProxies > 0, maxIpsCount: site.trustedProxies }',
        '{ proxy: true, maxIpsCount: 0 }',
      ],
    ],
  },
  {
    rows: ['4.2.1', 'a length together with chunks'],
    test: [broken, 'is answered with a problem: %s'],
    without: [
      [
        'server/platform/http/requests/broken-requests.ts',
        'socket.end(`HTTP/1.1',
        'socket.destroy(); void (`HTTP/1.1',
      ],
    ],
  },
  {
    rows: ['5.2.1'],
    test: ['tests/contract/requests.test.ts', 'answers 413 beyond its limit, before the body comes'],
    without: [
      ['server/platform/http/requests/small-body.ts', 'if (announced > limitInBytes) throw tooLarge()', ''],
      [
        'server/platform/http/requests/small-body.ts',
        '{ jsonLimit: limitInBytes, formLimit: limitInBytes, jsonStrict: false }',
        '{ jsonLimit: 2 ** 30, formLimit: 2 ** 30, jsonStrict: false }',
      ],
    ],
  },
  {
    rows: ['5.3.2', '13.4.3'],
    test: [serving, 'are nothing else: %s'],
    without: [
      [
        'server/app/serving/pages/pages.ts',
        ': files.get(ctx.path)',
        ': (files.get(ctx.path) ?? { type: ".txt", tag: "x", plain: { path: `.${decodeURIComponent(ctx.path)}`, bytes: 0 }, br: undefined, gzip: undefined })',
      ],
    ],
  },
  {
    rows: ['14.2.2'],
    test: [serving, 'of an API answer forbid keeping it'],
    without: [[headerTable, `...(kind === 'api' ? { 'Cache-Control': 'no-store' } : {}),`, '']],
  },
  {
    rows: ['16.3.4', '16.5.1'],
    test: [serving, 'that nobody foresaw is a 500 that tells nothing'],
    without: [
      [
        'server/platform/http/responses/problems.ts',
        `new Problem('internal_error', 'An internal error occurred.')`,
        `new Problem('internal_error', String((error as Error).stack))`,
      ],
    ],
  },
  {
    rows: ['15.3.7'],
    test: ['tests/contract/requests.test.ts', 'answers 400 where %s is given twice'],
    without: [
      [
        'server/platform/http/requests/validation.ts',
        'const parsed = v.safeParse(schema, given, { abortEarly: true })',
        'for (const [name, value] of Object.entries(given ?? {})) if (root === queryRoot && Array.isArray(value)) Object.assign(given as object, { [name]: value[0] })\n  const parsed = v.safeParse(schema, given, { abortEarly: true })',
      ],
    ],
  },
  {
    rows: ['strangers exhausted the memory', 'strangers who stall bodies'],
    test: [bodies, 'is not read beyond 64 kB either where no length is announced'],
    without: [
      [
        'server/platform/http/requests/small-body.ts',
        '{ jsonLimit: limitInBytes, formLimit: limitInBytes, jsonStrict: false }',
        '{ jsonLimit: 2 ** 30, formLimit: 2 ** 30, jsonStrict: false }',
      ],
    ],
  },
  {
    rows: ['strangers exhausted the memory'],
    test: [bodies, 'beyond the budget are a 503 with Retry-After, before any of a body is sent'],
    without: [
      ['server/platform/running/byte-budget.ts', 'if (fits(bytes)) return', 'if (bytes >= 0) return'],
    ],
  },
  {
    rows: ['so did the holder of one link'],
    test: [bodies, 'is looked up before the body is read: %s'],
    without: [
      ['server/app/serving/authenticate.ts', 'await requireSession(claims.accountId, claims.sessionId)', ''],
    ],
  },
  {
    rows: ['so did the holder of one link', 'strangers who stall bodies'],
    test: [bodies, 'is a 408, and its connection is closed'],
    without: [['server/platform/http/requests/body-bytes.ts', 'if (length() - before < bytes) onSlow()', '']],
  },
  {
    rows: ['slow connections'],
    test: [
      'tests/server/platform/http/responses/serve.test.ts',
      'a request has 15 seconds for its head, and a minute for all of it',
    ],
    without: [['server/platform/http/responses/serve.ts', '  server.headersTimeout = 15_000\n', '']],
  },
  {
    rows: ['slow connections'],
    test: [broken, 'a request that does not arrive in time is answered with a 408'],
    without: [
      [
        'server/platform/http/requests/broken-requests.ts',
        `ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],`,
        '',
      ],
    ],
  },
]
