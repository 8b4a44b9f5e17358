import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import { Problem } from '#shared/problem.ts'
import { measureJson } from './json-size.ts'

const deepest = 32
/** [Note: Ours] Far more than any request needs, and few enough to be parsed and checked in no time. */
const mostValues = 100_000

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
    if (Number(ctx.get('Content-Length') || 0) > limitInBytes) throw tooLarge()
    if (/^100-continue$/i.test(ctx.get('Expect'))) ctx.res.writeContinue()
    await read(ctx, async () => {})
    return parse(ctx.request.body)
  }
}

function refuseOtherMedia(ctx: Context): void {
  const encoding = ctx.get('Content-Encoding')
  const encoded = encoding !== '' && encoding.toLowerCase() !== 'identity'
  if (encoded || (hasBody(ctx) && !ctx.is('application/json'))) {
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

function unreadable(error: Error & { status?: number; type?: string }): Problem {
  if (error.status === 413 || error.type === 'entity.too.large') {
    return tooLarge()
  }
  return malformed('The body could not be read.')
}

function tooLarge(): Problem {
  return new Problem('body_too_large', 'The body is larger than this endpoint takes.')
}
