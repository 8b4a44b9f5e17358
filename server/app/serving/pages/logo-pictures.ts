import type Router from '@koa/router'
import { type Logos, logoPath } from '#server/features/accounts/accounts.ts'
import { Problem } from '#shared/problem.ts'

/** Serves accounts' logos to the pages: re-encoded by this server, and with addresses that always return the same picture. */
export function mountLogos(router: Router, logos: Pick<Logos, 'find'>): void {
  router.get(`${logoPath}:logoId`, async (ctx) => {
    const picture = await logos.find(ctx.params.logoId!)
    if (picture === undefined) throw new Problem('not_found', 'The logo does not exist.')
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.type = 'image/webp'
    ctx.body = picture
  })
}
