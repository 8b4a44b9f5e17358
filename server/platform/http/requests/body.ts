import { isAscii } from 'node:buffer'
import type { Context } from 'koa'
import type { Lease } from '#server/platform/running/byte-budget.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { type Endpoint, smallBodyInBytes } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { bytesThere, isAsked, type LeastRate, readBytes, usualLeastRate } from './body-bytes.ts'
import { bodyNotUtf8, refuseMalformedBody, refuseOtherCharsets } from './encoding.ts'
import { parseForm } from './form.ts'
import { jsonLimits, measureJson } from './json-size.ts'
import { parseWithPictures } from './json-with-pictures.ts'
import { formType, jsonType, mediaTypesOf } from './media-types.ts'
import { boundaryOf, parseMultipart } from './multipart.ts'
import { smallBodyReader } from './small-body.ts'

/** Only bodies with pictures are larger. */
const largeBodyInBytes = 256 * 1024
const byteOrderMark = /^\ufeff/

/** Settings for reading bodies. */
export interface BodyRules {
  readonly leastRate?: LeastRate
}

type BodyReader = (ctx: Context, lease: Pick<Lease, 'expect' | 'take'>) => Promise<unknown>

/**
 * Reads a body in the media types and up to the size that an endpoint accepts. [Note: Two readers] Bodies that may contain
 * pictures are read byte by byte into accounted memory; koa-body reads the small ones.
 * @throws {Problem} 400, 408, 413, 415 or 503
 */
export function bodyReader(
  endpoint: Pick<Endpoint, 'bodyLimitInBytes' | 'takesForm' | 'takesMultipart'>,
  { leastRate = usualLeastRate }: BodyRules = {},
): BodyReader {
  const { bodyLimitInBytes: limitInBytes } = endpoint
  const types = [...mediaTypesOf(endpoint)]
  const readSmall = limitInBytes <= smallBodyInBytes ? smallBodyReader(limitInBytes, leastRate) : undefined
  return async (ctx, lease) => {
    const parse = parserFor(ctx, types)
    if (readSmall !== undefined) {
      const { text, parsed } = await readSmall(ctx, lease)
      return parse(text, parsed)
    }
    const { expect } = ctx.req.headers
    const there = expect === undefined ? bytesThere(ctx.req, { limitInBytes, lease }) : undefined
    const boundary = endpoint.takesMultipart ? boundaryOf(ctx) : undefined
    const read = (bytes: Buffer) =>
      boundary === undefined ? parse(textOf(bytes)) : parseMultipart(bytes, boundary)
    if (there !== undefined) return parsed(read, there)
    const reading = readBytes(ctx.req, { limitInBytes, lease, leastRate })
    if (isAsked(expect)) ctx.res.writeContinue()
    return parsed(read, await reading)
  }
}

/** A large body takes up a whole event loop turn, and any further processing begins in the next one. */
async function parsed(read: (bytes: Buffer) => unknown, bytes: Buffer): Promise<unknown> {
  const body = read(bytes)
  if (bytes.length > largeBodyInBytes) await loopTurns.next()
  return body
}

/**
 * Decodes a body to text once and releases its bytes. [Note: Pictures are ASCII] Copying 14 MB takes 2 ms. Decoding the same
 * bytes as UTF-8 takes 12 ms.
 */
function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1')
  refuseMalformedBody(bytes)
  return bytes.toString().replace(byteOrderMark, '')
}

/** @param parsed the text as a JSON value, if already known */
type Parse = (text: string, parsed?: unknown) => unknown

/** Chooses how to parse a body, based on its media type. @throws {Problem} 415 */
function parserFor(ctx: Context, types: string[]): Parse {
  const { headers } = ctx.req
  const encoding = headers['content-encoding']?.toLowerCase() ?? ''
  const encoded = encoding !== '' && encoding !== 'identity'
  if (!encoded && (headers['content-type'] === jsonType || !hasBody(ctx))) return parse
  const type = encoded ? false : ctx.is(types)
  if (!type)
    throw new Problem(
      'unsupported_media_type',
      `The body must be ${types.join(' or ')} without a content encoding.`,
    )
  refuseOtherCharsets(ctx)
  return type === formType ? parseMembers : parse
}

function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length') || 0) > 0
}

function parse(text: string, parsed?: unknown): unknown {
  if (text === '') throw Problem.at('#', 'A JSON body is required.')
  const { depth, values } = measureJson(text, jsonLimits)
  if (depth > jsonLimits.depth)
    throw Problem.at('#', `The body nests deeper than ${jsonLimits.depth} levels.`)
  if (values > jsonLimits.values)
    throw Problem.at('#', `The body holds more than ${jsonLimits.values} values.`)
  const body = parsed === undefined ? parseJson(text) : parsed
  if (Array.isArray(body)) throw Problem.at('#', 'The body must be a JSON object.')
  return body
}

function parseMembers(text: string): unknown {
  try {
    return parseForm(text)
  } catch {
    throw bodyNotUtf8()
  }
}

function parseJson(text: string): unknown {
  try {
    return text.length > largeBodyInBytes ? parseWithPictures(text) : JSON.parse(text)
  } catch {
    throw Problem.at('#', 'The body is not well-formed JSON.')
  }
}
