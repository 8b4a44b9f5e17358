import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { Problem } from '#shared/problem.ts'
import { measureJson } from './json-size.ts'

const deepest = 32
/** [Note: Ours] Far more than any request needs, and few enough to be parsed and checked in no time. */
const mostValues = 100_000
const smallInBytes = 64 * 1024
const byteOrderMark = /^\ufeff/

/** Reads a JSON body of at most so many bytes, and no other kind of body. @throws {Problem} 400, 413 or 415 */
export function jsonBody(limitInBytes: number): (ctx: Context) => Promise<unknown> {
  const read = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: ['application/json'],
    textLimit: limitInBytes,
    onError: (error) => {
      throw unreadable(error)
    },
  })
  return async (ctx) => {
    refuseOtherMedia(ctx)
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
 * [Note: Small bodies are read directly] A library that is ready for every form, encoding and size takes longer than all
 * that most requests ask for. The length is known and small here, and the parser of HTTP gives neither more nor less.
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

function refuseOtherMedia(ctx: Context): void {
  const { headers } = ctx.req
  const encoding = headers['content-encoding']?.toLowerCase() ?? ''
  const encoded = encoding !== '' && encoding !== 'identity'
  const isPlainJson = headers['content-type'] === 'application/json'
  if (encoded || (!isPlainJson && hasBody(ctx) && !ctx.is('application/json'))) {
    throw new Problem(
      'unsupported_media_type',
      'The body must be application/json without a content encoding.',
    )
  }
}

function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length') || 0) > 0
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') throw malformed('A JSON body is required.')
  const { depth, values } = measureJson(text)
  if (depth > deepest) throw malformed(`The body nests deeper than ${deepest} levels.`)
  if (values > mostValues) throw malformed(`The body holds more than ${mostValues} values.`)
  const body = parseJson(text)
  if (Array.isArray(body)) throw malformed('The body must be a JSON object.')
  return body
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('The body is not well-formed JSON.')
  }
}

function malformed(message: string): Problem {
  return new Problem('invalid_request', message, { errors: [{ pointer: '#', message }] })
}

function unreadable(error?: Error & { status?: number; type?: string }): Problem {
  if (error?.status === 413 || error?.type === 'entity.too.large') {
    return tooLarge()
  }
  return malformed('The body could not be read.')
}

function tooLarge(): Problem {
  return new Problem('body_too_large', 'The body is larger than this endpoint takes.')
}
