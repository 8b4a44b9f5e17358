import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { Endpoint } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { parseForm } from './form.ts'
import { measureJson } from './json-size.ts'
import { formType, jsonType, mediaTypesOf } from './media-types.ts'

const deepest = 32
/** [Note: Ours] Far more than any request needs, and few enough to be parsed and checked quickly. */
const mostValues = 100_000
const smallInBytes = 64 * 1024
const byteOrderMark = /^\ufeff/

/** Reads a body of the media types and of at most the size that an endpoint takes. @throws {Problem} 400, 413 or 415 */
export function bodyReader(
  endpoint: Pick<Endpoint, 'bodyLimitInBytes' | 'takesForm'>,
): (ctx: Context) => Promise<unknown> {
  const { bodyLimitInBytes: limitInBytes } = endpoint
  const types = [...mediaTypesOf(endpoint)]
  const read = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: types,
    textLimit: limitInBytes,
    onError: (error) => {
      throw unreadable(error)
    },
  })
  return async (ctx) => {
    const parse = parserFor(ctx, types)
    const { headers } = ctx.req
    const lengthInBytes = Number(headers['content-length'] ?? 0)
    if (lengthInBytes > limitInBytes) throw tooLarge()
    if (/^100-continue$/i.test(headers.expect ?? '')) ctx.res.writeContinue()
    if (lengthInBytes > 0 && lengthInBytes <= smallInBytes) return parse(await readSmall(ctx.req))
    await read(ctx, async () => {})
    return parse(ctx.request.body)
  }
}

/**
 * [Note: Small bodies are read directly] The library takes longer to read a small body than the rest of most requests
 * takes, since it is ready for every form, encoding and size. Here the length is known, and Node's HTTP parser keeps to it.
 */
function readSmall(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(unreadable())
    if (!request.readable) return fail()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      request.off('close', fail)
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve(bytes.toString().replace(byteOrderMark, ''))
    })
    request.once('error', fail)
    request.once('close', fail)
  })
}

type Parse = (text: unknown) => unknown

/** How the body is to be read, by its media type. @throws {Problem} 415 */
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
  return type === formType ? parseMembers : parse
}

function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length') || 0) > 0
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') throw Problem.at('#', 'A JSON body is required.')
  const { depth, values } = measureJson(text)
  if (depth > deepest) throw Problem.at('#', `The body nests deeper than ${deepest} levels.`)
  if (values > mostValues) throw Problem.at('#', `The body holds more than ${mostValues} values.`)
  const body = parseJson(text)
  if (Array.isArray(body)) throw Problem.at('#', 'The body must be a JSON object.')
  return body
}

function parseMembers(text: unknown): unknown {
  try {
    return parseForm(String(text ?? ''))
  } catch {
    throw Problem.at('#', 'The form is not percent-encoded UTF-8.')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw Problem.at('#', 'The body is not well-formed JSON.')
  }
}

function unreadable(error?: Error & { status?: number; type?: string }): Problem {
  if (error?.status === 413 || error?.type === 'entity.too.large') {
    return tooLarge()
  }
  return Problem.at('#', 'The body could not be read.')
}

function tooLarge(): Problem {
  return new Problem('body_too_large', 'The body is larger than this endpoint takes.')
}
