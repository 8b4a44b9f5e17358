import type Router from '@koa/router'
import type { Context } from 'koa'
import * as v from 'valibot'
import type { Admit } from '#server/app/serving/admission.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import { nobody } from '#shared/contract/console/operator-roles.ts'
import { endpoint } from '#shared/endpoint.ts'

export interface MetricsPage {
  readonly contentType: string
  /** The figures as text, as Prometheus reads them. */
  render(): Promise<string>
  /** What a collector sends as a bearer; without one only a key with the scope `admin` may read. */
  readonly token: string | undefined
}

/** [Note: Ours] The figures are of the process, not of the interface, so they stand in no catalogue. */
const metrics = endpoint({
  method: 'GET',
  path: '/metrics',
  auth: 'key',
  scope: 'admin',
  console: nobody,
  result: v.string(),
  errors: [401, 403],
  summary: 'The figures of this process.',
})

/** Mounts the figures of this process, for its administrators and their collector. */
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
