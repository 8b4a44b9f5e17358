import type { AddressInfo } from 'node:net'
import Koa from 'koa'

/** The baseline: a single route of the framework and nothing else, in its own process. Sends its port to the parent. */
const app = new Koa()
app.use((ctx) => {
  if (ctx.path === '/bare') ctx.body = { ok: true }
})
const server = app.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
