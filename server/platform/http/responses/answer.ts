import type { Context } from 'koa'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Send } from './sender.ts'
import { setUsual } from './usual-headers.ts'

/** [Note: Ours] A media type that is not offered is answered in JSON, not with a 406. */
const variants = ['application/json', 'text/plain', 'text/json']

type Variants = Pick<Endpoint, 'plainText' | 'textVariant'>

/** Answers with what a handler made. @returns about how many bytes it holds */
export type Answer = (ctx: Context, result: unknown) => number

/** [Note: Said plainly] Every answer of an endpoint passes here, so its head is written at once, not derived by Koa each time. */
export function createAnswer({ plainText, textVariant }: Variants, send: Send): Answer {
  const varies = textVariant === true && plainText !== true

  function typeOf(ctx: Context): string {
    if (plainText === true) return 'text/plain'
    const { accept } = ctx.req.headers
    if (!varies || accept === undefined || accept === '*/*' || accept === variants[0]) return variants[0]!
    return ctx.accepts(variants) || variants[0]!
  }

  function setHead(ctx: Context, type: string): void {
    setUsual(ctx)
    if (varies) ctx.vary('Accept')
    ctx.res.setHeader('Content-Type', type)
  }

  function writeHead(ctx: Context, type: string, bytes: number): void {
    const { requestId, usual } = ctx.state as RequestState
    if (usual === undefined || ctx.res.getHeaderNames().length > 0) {
      setHead(ctx, type)
      ctx.res.writeHead(200, { 'Content-Length': bytes })
      return
    }
    const head = ['X-Request-Id', requestId, ...usual]
    if (varies) head.push('Vary', 'Accept')
    head.push('Content-Type', type, 'Content-Length', String(bytes))
    ctx.res.writeHead(200, head)
  }

  return (ctx, result) => {
    const type = typeOf(ctx)
    const text = typeof result === 'string' && type === 'text/plain' ? result : JSON.stringify(result)
    const withCharset = `${type}; charset=utf-8`
    if (text === undefined || ctx.req.method === 'HEAD') {
      setHead(ctx, withCharset)
      ctx.response.body = text
      return text?.length ?? 0
    }
    const bytes = Buffer.byteLength(text)
    writeHead(ctx, withCharset, bytes)
    const state = ctx.state as RequestState
    state.bytes = bytes
    ctx.respond = false
    send(ctx.res, text, bytes === text.length ? 'latin1' : 'utf8')
    return text.length
  }
}
