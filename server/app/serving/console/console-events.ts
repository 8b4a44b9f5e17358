import { PassThrough } from 'node:stream'
import type Router from '@koa/router'
import type { Admit } from '#server/app/serving/admission.ts'
import type { Console, ConsoleCaller } from '#server/features/operators/operators.ts'
import { requestSchemasOf } from '#server/platform/http/requests/known-names.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import { validate } from '#server/platform/http/requests/validation.ts'
import { watchSessions } from '#shared/contract/console/events.ts'
import { Problem } from '#shared/problem.ts'

/** The limit per person, across tabs and devices. */
const mostStreams = 10
const checkEveryMilliseconds = 10_000

/** Mounts the console's event stream. It ends with the sign-in, which is checked repeatedly. */
export function mountEvents(router: Router, { news, signIns }: Console, admit: Admit): void {
  const streams = new Map<string, number>()
  const count = (operatorId: string, change: number) => {
    const left = (streams.get(operatorId) ?? 0) + change
    if (left > 0) streams.set(operatorId, left)
    else streams.delete(operatorId)
  }

  const { query } = requestSchemasOf(watchSessions)
  router.get(watchSessions.path, async (ctx) => {
    const state = ctx.state as RequestState
    state.route = watchSessions.path
    const caller = (await admit(ctx, watchSessions, 'configuration')) as ConsoleCaller
    if (query !== undefined) validate(query, { ...ctx.query }, '#/query')
    // A client that has already disconnected emits no further close, so the stream would never end.
    if (ctx.res.closed) return
    const { accountId, keyId, known } = caller
    if ((streams.get(keyId) ?? 0) >= mostStreams)
      throw new Problem('too_many_requests', 'The console is open in too many tabs.', {
        retryAfterInSeconds: 60,
      })
    const stream = new PassThrough()
    // Skips a reader that falls behind, because the next event supersedes this one.
    const send = (lines: string) => {
      if (!stream.writableNeedDrain) stream.write(`${lines}\n\n`)
    }
    const end = () => {
      if (!stream.writableEnded) stream.end('event: end\ndata: {}\n\n')
    }
    const sendIfStill = (lines: string) =>
      void signIns.isStill(known).then((isStill) => (isStill ? send(lines) : end()), end)
    const tell = (change: number) => sendIfStill(`event: sessions\ndata: {"change":${change}}`)
    const leave = news.listen(accountId, tell, end)
    const timer = setInterval(() => sendIfStill(': still here'), checkEveryMilliseconds).unref()
    count(keyId, 1)
    ctx.res.once('close', () => {
      leave()
      clearInterval(timer)
      count(keyId, -1)
      stream.destroy()
    })
    ctx.set('X-Accel-Buffering', 'no')
    ctx.type = 'text/event-stream'
    ctx.status = 200
    ctx.body = stream
  })
}
