import type { Context } from 'koa'
import { Problem } from '#shared/problem.ts'

/** Ends a request that no route took: 405 where only the method is wrong, 404 otherwise. */
export function unmatched(ctx: Context & { matched?: readonly { methods: readonly string[] }[] }): void {
  const methods = new Set(ctx.matched?.flatMap((route) => route.methods))
  if (methods.size === 0) throw new Problem('not_found', 'This address does not exist.')
  answerOtherMethod(ctx, [...methods])
}

/** Answers a method that is not served: OPTIONS with those that are. @throws {Problem} 405 for every other one */
export function answerOtherMethod(ctx: Context, methods: readonly string[]): void {
  ctx.set('Allow', [...methods, 'OPTIONS'].join(', '))
  if (ctx.method !== 'OPTIONS')
    throw new Problem('method_not_allowed', 'This address does not accept this method.')
  ctx.status = 204
}
