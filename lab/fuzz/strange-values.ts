import type { Random } from './random.ts'

/** Strings that are known to break programs: quotes, control characters, lone surrogates, paths and names of prototypes. */
export const strangeTexts: readonly string[] = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1e3',
  '1e999',
  'NaN',
  'Infinity',
  '0x10',
  '١٢٣',
  'null',
  'undefined',
  'true',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufffe\uffff',
  '\u202e\u200b\ufeff',
  'é\u0301',
  '👩‍👩‍👧‍👦',
  '\r\nSet-Cookie: a=b',
  '"\'<script>alert(1)</script>',
  '{{7*7}}#{7*7}',
  '%00',
  '%',
  '%zz',
  '%ED%A0%80',
  '..',
  '../../etc/passwd',
  '/etc/passwd',
  "' OR 1=1 --",
  '*',
  '{}*',
  'x'.repeat(513),
  'x'.repeat(1025),
  'x'.repeat(1979),
  'x'.repeat(8193),
  'é'.repeat(4096),
  '(a+)+$'.repeat(50),
  '&'.repeat(8192),
  '=&'.repeat(4000),
  '%'.repeat(8000),
  'a=1#b',
  'reSignature=00',
  'reExpiration=1&reNonce=a&reSignature=zz',
  `reSignature=${'0'.repeat(64)}`,
  'reVerificationId=a&reVerificationId=b',
  '?????',
]

const bigText = 'x'.repeat(1_000_000)

/** JSON texts rather than values, because parsing would remove much of what makes them strange. */
const strangeJson: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '0.5',
  '-1',
  '1e308',
  '1e999',
  '-1e999',
  '5e-324',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '123456789012345678901234567890',
  '1E400',
  '[]',
  '[[]]',
  '{}',
  '[null]',
  '{"a":1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2}',
  '{"length":4294967295}',
  '{"a":1,"a":2}',
  '"\\ud800"',
  '"\\u0000"',
  `[${'0,'.repeat(5000)}0]`,
  `[${'{},'.repeat(2000)}{}]`,
  `${'['.repeat(31)}${']'.repeat(31)}`,
  `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  `${'['.repeat(100_000)}`,
]

/** Invalid JSON. */
const brokenJson: readonly string[] = [
  'NaN',
  'Infinity',
  '01',
  '+1',
  '.5',
  "'a'",
  '',
  'undefined',
  '"\u0001"',
  '1,',
]

export function strangeText(random: Random): string {
  if (random.chance(0.005)) return bigText
  const text = random.pick(strangeTexts)
  return random.chance(0.1) ? text + random.pick(strangeTexts) : text
}

/** A JSON text to use in place of a value. Sometimes it is invalid. */
export function strangeJsonText(random: Random): string {
  if (random.chance(0.03)) return random.pick(brokenJson)
  return random.chance(0.5) ? JSON.stringify(strangeText(random)) : random.pick(strangeJson)
}

/** Addresses of this machine, private networks and cloud metadata services in all notations. The product must not connect to any of them. */
export function forbiddenAddresses(port: number): string[] {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '%31%32%37.0.0.1',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127.0.0.1.',
    'localhost',
    'localhost.',
    'a.localhost',
    '[::1]',
    '[::]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1%25eth0]',
    '[fd00:ec2::254]',
    '2852039166',
    '168.63.129.16',
    '100.100.100.200',
    'a@10.0.0.1',
  ]
  const odd = [
    '',
    'x',
    'http://',
    'http:/x',
    '//x',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'ftp://127.0.0.1',
  ]
  return [...hosts.map((host) => `http://${host}:${port}/picture.jpg`), ...odd, `https://127.0.0.1:${port}/`]
}
