import type { Context } from 'koa'
import { koaBody } from 'koa-body'
import type { Lease } from '#server/platform/running/byte-budget.ts'
import { Problem } from '#shared/problem.ts'
import { isAsked, type LeastRate, tooLarge, tooSlow, unreadable, watchRate } from './body-bytes.ts'
import { refuseMalformedBody } from './encoding.ts'
import { jsonType } from './media-types.ts'

/** A body and its parsed JSON, which is undefined for a form. */
interface SmallBody {
  readonly text: string
  readonly parsed: unknown
}

const words = { 'entity.too.large': tooLarge, 'request.aborted': unreadable } as const

/**
 * Reads a JSON or form body without pictures, using koa-body. Reserves memory before the first byte and refuses slow
 * bodies, neither of which koa-body does.
 * @throws {Problem} 400 if the body is cut off or not JSON, 408, 413 or 503
 */
export function smallBodyReader(limitInBytes: number, leastRate: LeastRate) {
  const read = koaBody({
    ...{ multipart: false, text: false, json: true, urlencoded: true },
    ...{ jsonLimit: limitInBytes, formLimit: limitInBytes, jsonStrict: false },
    ...{ includeUnparsed: true, onError: refuse },
  })
  return async (ctx: Context, lease: Pick<Lease, 'expect' | 'take'>): Promise<SmallBody> => {
    const announced = Number(ctx.req.headers['content-length'] ?? 0)
    if (announced > limitInBytes) throw tooLarge()
    if (announced > 0) lease.take(announced)
    else if (ctx.req.headers['transfer-encoding'] !== undefined) lease.take(limitInBytes)
    if (isAsked(ctx.req.headers.expect)) ctx.res.writeContinue()
    const chunks: Buffer[] = []
    const reading = withinRate(ctx, leastRate, () => read(ctx, async () => undefined))
    ctx.req.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A body that is not UTF-8 is often malformed JSON as well; the encoding is the cause to report.
    await reading.finally(() => refuseMalformedBody(Buffer.concat(chunks)))
    const { body, rawBody: text = '' }: { body?: unknown; rawBody?: string } = ctx.request
    return { text, parsed: ctx.is(jsonType) ? body : undefined }
  }
}

async function withinRate(ctx: Context, leastRate: LeastRate, read: () => Promise<unknown>): Promise<void> {
  const { socket } = ctx.req
  let watch: NodeJS.Timeout | undefined
  const slow = new Promise<never>((_, fail) => {
    watch = watchRate(
      () => socket.bytesRead,
      leastRate,
      () => fail(tooSlow()),
    )
  })
  try {
    await Promise.race([read(), slow])
  } finally {
    clearInterval(watch)
    // Discards the rest of the body so that the client can read the response.
    if (!ctx.req.readableEnded) ctx.req.on('error', () => undefined).resume()
  }
}

function refuse(error: Error & { readonly type?: string }): never {
  if (error instanceof Problem) throw error
  const known = words[error.type as keyof typeof words]
  if (known !== undefined) throw known()
  if (error instanceof SyntaxError) throw Problem.at('#', 'The body is not well-formed JSON.')
  throw unreadable()
}
