import * as v from 'valibot'
import { text } from '../elements.ts'

/** Data about a person that is left behind by signing in at sites (OpenID Connect). */
export const keptSignIns = {
  subjects: v.pipe(
    v.array(
      v.object({
        clientId: text('The client.'),
        subject: text('The `sub` in the tokens of this client.'),
      }),
    ),
    v.description(
      "The person's subject at each client that has a secret, including clients that the person never used; empty if no site has ever compared subjects. The clients that the person signed in to are not recorded.",
    ),
  ),
  signIns: v.pipe(
    v.array(
      v.object({
        verificationSessionId: text('The visit.'),
        clientId: text('The client.'),
        subject: text('The `sub` in the tokens of this client.'),
        claims: v.pipe(
          v.record(v.string(), v.unknown()),
          v.description('All scopes and claims that the client may request.'),
        ),
      }),
    ),
    v.description('Sign-ins of the last 15 minutes, the lifetime of their codes and tokens.'),
  ),
}

const whole = v.object(keptSignIns)
export type KeptSignIns = v.InferOutput<typeof whole>
