import type { Context } from 'koa'
import type { Endpoint } from '#shared/endpoint.ts'
import { jsonText } from './json-text.ts'

/** [Note: Ours] A request for any other media type is answered in JSON instead of with a 406. */
const variants = ['application/json', 'text/plain', 'text/json'] as const

type Variants = Pick<Endpoint, 'plainText' | 'textVariant' | 'answersWith'>

/** Answers with 200, or the endpoint's own status, and a handler's result. @returns roughly how many bytes the answer holds until it is sent */
export async function answerWith(ctx: Context, variant: Variants, result: unknown): Promise<number> {
  const type = typeOf(ctx, variant)
  const text = typeof result === 'string' && type === 'text/plain' ? result : await jsonText(result)
  ctx.type = type
  ctx.body = text
  if (variant.answersWith !== undefined) ctx.status = variant.answersWith
  return text.length
}

function typeOf(ctx: Context, { plainText, textVariant }: Variants): string {
  if (plainText === true) return 'text/plain'
  if (textVariant !== true) return variants[0]
  ctx.vary('Accept')
  const isOpen = ['', '*/*', variants[0]].includes(ctx.get('Accept'))
  return isOpen ? variants[0] : ctx.accepts(...variants) || variants[0]
}
