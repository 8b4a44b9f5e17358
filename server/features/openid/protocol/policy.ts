import type { interactionPolicy } from 'oidc-provider'
import type { RefuseRequest } from '../request-rules.ts'

type Policy = typeof interactionPolicy

/**
 * [Note: A visit each time] There are no sign-ins to remember, because every person is checked. So `prompt=none` always
 * returns `login_required`, `max_age` is always met, and consent is requested on the visit's page.
 */
export function createPolicy({ base, Check, Prompt }: Policy, refuse: RefuseRequest) {
  const visit = new Check(
    'visit',
    'a person has to be looked at',
    'login_required',
    async (ctx: Parameters<RefuseRequest>[0]) => {
      const { result } = ctx.oidc
      if (result === undefined) await refuse(ctx)
      return result?.login === undefined
    },
  )
  const policy = base()
  policy.clear()
  policy.add(new Prompt({ name: 'login', requestable: true }, visit))
  policy.add(new Prompt({ name: 'consent', requestable: true }))
  return policy
}
