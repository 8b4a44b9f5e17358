import * as v from 'valibot'
import { text } from '../elements.ts'

/** What signing in at sites (OpenID Connect) leaves of a person. */
export const keptSignIns = {
  subjects: v.pipe(
    v.array(
      v.object({
        clientId: text('The client.'),
        subject: text('The `sub` of its tokens.'),
      }),
    ),
    v.description(
      'What each client that has a secret calls the person, or would call them; empty where no site ever compared them. Which of them the person signed in to is not kept.',
    ),
  ),
  signIns: v.pipe(
    v.array(
      v.object({
        verificationSessionId: text('The visit.'),
        clientId: text('The client.'),
        subject: text('The `sub` of its tokens.'),
        claims: v.pipe(
          v.record(v.string(), v.unknown()),
          v.description('All that the client may learn of it.'),
        ),
      }),
    ),
    v.description('Sign-ins of the last 15 minutes, as long as their codes and tokens may be shown.'),
  ),
}

const whole = v.object(keptSignIns)
export type KeptSignIns = v.InferOutput<typeof whole>
