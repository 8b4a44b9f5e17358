import { describe, expect, test } from 'vitest'
import { parseMultipart } from '#server/platform/http/requests/multipart.ts'

const boundary = 'a-boundary'

/** A body in the form that browsers send. */
async function bodyOf(
  parts: readonly (readonly [string, string | Blob])[],
): Promise<Record<string, unknown>> {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  const request = new Request('http://127.0.0.1', { method: 'POST', body: form })
  const type = request.headers.get('content-type')!
  return parseMultipart(Buffer.from(await request.arrayBuffer()), /boundary=(.+)/.exec(type)![1]!)
}

const picture = (...bytes: number[]) => new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' })
const written = (...lines: string[]) => parseMultipart(Buffer.from(lines.join('\r\n'), 'latin1'), boundary)
const part = (name: string, content: string) => [
  `--${boundary}`,
  `Content-Disposition: form-data; name="${name}"`,
  '',
  content,
]

describe('a multipart body is read as JSON would be', () => {
  test('with pictures as their bytes, whatever these are', async () => {
    const bytes = [0xff, 0xd8, 13, 10, 45, 45, 0, 13, 10]
    const body = await bodyOf([
      ['step', '1'],
      ['batch', '2'],
      ['frames[0].bytes', picture(...bytes)],
      ['frames[0].time', '1200'],
      ['frames[1].bytes', picture(1)],
    ])
    expect(body).toEqual({
      step: 1,
      batch: 2,
      frames: [
        { bytes: Buffer.from(bytes).toString('base64'), time: 1200 },
        { bytes: Buffer.from([1]).toString('base64') },
      ],
    })
  })

  test('also if the times of a film come together, before or after its pictures', async () => {
    const times = JSON.stringify([{ time: 1 }, { time: 2 }])
    const film = [
      ['trail[0].bytes', picture(1)],
      ['trail[1].bytes', picture(2)],
    ] as const
    const expected = { trail: [1, 2].map((n) => ({ time: n, bytes: Buffer.from([n]).toString('base64') })) }
    expect(await bodyOf([['trail', times], ...film])).toEqual(expected)
    expect(await bodyOf([...film, ['trail', times]])).toEqual(expected)
  })

  test('with texts that need no quotes, and objects', async () => {
    const consent = { given: true, wordingVersion: '1', locale: 'en' }
    const body = await bodyOf([
      ['request', 'moreTime'],
      ['consent', JSON.stringify(consent)],
    ])
    expect(body).toEqual({ request: 'moreTime', consent })
  })
})

test.each([
  ['no boundary', ['nothing at all']],
  ['no end', part('step', '1')],
  ['a part without a name', [`--${boundary}`, 'Content-Disposition: form-data', '', '1', `--${boundary}--`]],
  ['a name that is no path', [...part('frames[0]bytes', '1'), `--${boundary}--`]],
  ['the name of a prototype', [...part('__proto__', '{}'), `--${boundary}--`]],
  ['one name twice', [...part('step', '1'), ...part('step', '2'), `--${boundary}--`]],
  ['an entry out of order', [...part('frames[7].time', '1'), `--${boundary}--`]],
  ['an entry of what is no list', [...part('step', '1'), ...part('step[0].time', '1'), `--${boundary}--`]],
  ['text that is not UTF-8', [...part('step', '\xff'), `--${boundary}--`]],
  [
    'too many parts',
    [...Array.from({ length: 601 }, (_, i) => part(`a[${i}].b`, '1')).flat(), `--${boundary}--`],
  ],
])('%s is a 400', (_what, lines) => {
  expect(() => written(...lines)).toThrow(expect.objectContaining({ status: 400 }))
})
