/**
 * Unusual link queries, and the parameters that they represent. Browsers normalise an address before
 * the page sees it, so the signature must cover the normalised form.
 */
export const oddLinks: readonly (readonly [
  what: string,
  query: string,
  means: readonly (readonly [string, string])[],
])[] = [
  ['a space', 'a=b c', [['a', 'b c']]],
  ['a quotation mark', 'a="b"', [['a', '"b"']]],
  ['an apostrophe', "a=b'c", [['a', "b'c"]]],
  ['angle brackets', 'a=<b>', [['a', '<b>']]],
  ['a plus', 'a=b+c', [['a', 'b c']]],
  ['an encoded plus', 'a=b%2Bc', [['a', 'b+c']]],
  ['an encoded percent', 'a=100%25', [['a', '100%']]],
  ['a percent alone', 'a=100%', [['a', '100%']]],
  ['a percent before no hex digits', 'a=%zz%4', [['a', '%zz%4']]],
  ['lower-case percent-encoding', 'a=%c3%bc', [['a', 'ü']]],
  ['percent-encoding that is no UTF-8', 'a=%ff', [['a', '\ufffd']]],
  ['an umlaut', 'ä=ü', [['ä', 'ü']]],
  ['a decomposed umlaut', 'a=u\u0308', [['a', 'u\u0308']]],
  ['an emoji', 'a=👩‍👧', [['a', '👩‍👧']]],
  ['an encoded line break', 'a=b%0D%0Ac', [['a', 'b\r\nc']]],
  ['an encoded ampersand', 'a=b%26c%3Dd', [['a', 'b&c=d']]],
  ['an encoded hash', 'a=%23b', [['a', '#b']]],
  ['a bar, a backslash, a backtick, braces and a caret', 'a=|\\`{}^', [['a', '|\\`{}^']]],
  ['slashes, colons, at and question marks', 'a=https://b@c/?d', [['a', 'https://b@c/?d']]],
  [
    'square brackets',
    'a[]=1&a[]=2',
    [
      ['a[]', '1'],
      ['a[]', '2'],
    ],
  ],
  ['semicolons and commas', 'a=1;b=2,3', [['a', '1;b=2,3']]],
  ['an equals sign in a value', 'a=b=c==', [['a', 'b=c==']]],
  [
    'a repeated parameter',
    'a=1&b=2&a=3',
    [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ],
  ],
  [
    'an empty value',
    'a=&b',
    [
      ['a', ''],
      ['b', ''],
    ],
  ],
  ['an empty name', '=a', [['', 'a']]],
  ['empty pairs', '&&a=1&&', [['a', '1']]],
  [
    'names that objects have',
    'constructor=1&toString=2',
    [
      ['constructor', '1'],
      ['toString', '2'],
    ],
  ],
  ['a space at the end', 'a=b ', [['a', 'b ']]],
]
