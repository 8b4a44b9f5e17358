import type { Context } from 'koa'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'

/**
 * Sets what every answer carries, where the answer does not say something else already. [Note: Set late] An endpoint writes its whole head at once;
 * everything else has these set before it is asked.
 */
export function setUsual(ctx: Context): void {
  const { res } = ctx
  const state = ctx.state as RequestState
  if (state.usual === undefined) return
  if (!res.hasHeader('X-Request-Id')) res.setHeader('X-Request-Id', state.requestId)
  for (let i = 0; i < state.usual.length; i += 2) {
    if (!res.hasHeader(state.usual[i]!)) res.setHeader(state.usual[i]!, state.usual[i + 1]!)
  }
  delete state.usual
}
