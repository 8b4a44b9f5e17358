import type { Context } from 'koa'
import type { Endpoint } from '#shared/endpoint.ts'

/** [Note: Ours] A media type that is not offered is answered in JSON, not with a 406. */
const variants = ['application/json', 'text/plain', 'text/json'] as const

type Variants = Pick<Endpoint, 'plainText' | 'textVariant'>

/** Answers 200 with what a handler made. @returns about how many bytes the answer holds until it is taken */
export function answerWith(ctx: Context, { plainText, textVariant }: Variants, result: unknown): number {
  if (plainText === true) ctx.type = 'text/plain'
  else if (textVariant === true) {
    ctx.vary('Accept')
    ctx.type = ctx.accepts(...variants) || variants[0]
  } else ctx.type = variants[0]
  const isPlain = ctx.response.is('text/plain') === 'text/plain'
  const text = typeof result === 'string' && isPlain ? result : JSON.stringify(result)
  ctx.body = text
  return text.length
}
