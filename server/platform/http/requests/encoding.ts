import { isUtf8 } from 'node:buffer'
import { parse } from 'node:querystring'
import type { Context } from 'koa'
import { Problem, pointerToken } from '#shared/problem.ts'

/** [Note: Ours] `utf8` is a common misspelling of the encoding's name. */
const charsets: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii'])
const message = 'Must be percent-encoded UTF-8.'
const queryPointer = '#/query'
const mostFaults = 50
const mostNameLength = 100

/** @throws {Problem} 415 for a `charset` in which the bytes would be read as different characters */
export function refuseOtherCharsets(ctx: Context): void {
  const { charset } = ctx.request
  if (charset !== '' && !charsets.has(charset.toLowerCase()))
    throw new Problem('unsupported_media_type', 'The charset of the body must be utf-8.')
}

/** @throws {Problem} 400 `not_utf8`, because guessing an encoding could store different characters */
export function refuseMalformedBody(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw bodyNotUtf8()
}

export function bodyNotUtf8(): Problem {
  return Problem.at('#', 'The body must be UTF-8.', 'not_utf8')
}

/** Query parameters as written: a string each, or a list of strings if a parameter is repeated. */
type QueryParameters = Readonly<Record<string, string | string[] | undefined>>

/**
 * Reads the query parameters. Bytes above ASCII, which some clients do not percent-encode, are read as UTF-8 like encoded
 * ones.
 * @throws {Problem} 400 `not_utf8`, with a pointer to each parameter that is not UTF-8
 */
export function readQuery({ querystring }: Pick<Context, 'querystring'>): QueryParameters {
  const bytes = Buffer.from(querystring, 'latin1')
  const text = bytes.toString()
  if (isUtf8(bytes) && isDecodable(text)) return parse(text)
  const faulty = querystring.split('&').filter((pair) => !isUtf8Pair(pair))
  const pointers = new Set(faulty.map((pair) => pointerOf(pair.split('=')[0]!)))
  throw new Problem('not_utf8', 'The query is not UTF-8; see errors.', {
    errors: [...pointers].slice(0, mostFaults).map((pointer) => ({ pointer, message })),
  })
}

function isUtf8Pair(pair: string): boolean {
  const bytes = Buffer.from(pair, 'latin1')
  return isUtf8(bytes) && isDecodable(bytes.toString())
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Points to the whole query if the name itself is unreadable or too long to repeat. */
function pointerOf(name: string): string {
  const isReadable = name.length <= mostNameLength && isUtf8Pair(name)
  if (!isReadable) return queryPointer
  return `${queryPointer}/${pointerToken(decodeURIComponent(Buffer.from(name, 'latin1').toString()))}`
}
