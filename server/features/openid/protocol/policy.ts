import type { interactionPolicy } from 'oidc-provider'
import type { RefuseRequest } from '../request-rules.ts'

type Policy = typeof interactionPolicy

/**
 * [Note: A visit each time] There is no sign-in of ours that could be remembered: whoever comes is looked at. So `prompt=none` is always
 * `login_required`, `max_age` is always met, and consent is asked on the page of the visit.
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
