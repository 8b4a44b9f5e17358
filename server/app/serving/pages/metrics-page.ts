import type Router from '@koa/router'
import type { Context } from 'koa'
import * as v from 'valibot'
import type { Admit } from '#server/app/serving/admission.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import { endpoint } from '#shared/endpoint.ts'
import { nobody } from '#shared/operator-roles.ts'

export interface MetricsPage {
  readonly contentType: string
  /** The metrics as text, in Prometheus format. */
  render(): Promise<string>
  /** A collector's bearer token. Without one, only a key with the scope `admin` may read metrics. */
  readonly token: string | undefined
}

/** [Note: Ours] Metrics describe the process rather than the interface, so they are not in the catalogue. */
const metrics = endpoint({
  method: 'GET',
  path: '/metrics',
  auth: 'key',
  scope: 'admin',
  console: nobody,
  result: v.string(),
  errors: [401, 403],
  summary: 'The metrics of this process.',
})

/** Mounts this process's metrics, for administrators and their collector. */
export function mountMetrics(router: Router, page: MetricsPage, admit: Admit): void {
  router.get(metrics.path, async (ctx) => {
    if (!carries(ctx, page.token)) await admit(ctx, metrics, undefined)
    ctx.type = page.contentType
    ctx.body = await page.render()
  })
}

function carries(ctx: Context, token: string | undefined): boolean {
  return token !== undefined && sameSecret(ctx.get('Authorization'), `Bearer ${token}`)
}
