import type {
  createOpenidClient,
  getOpenidClients,
  updateOpenidClient,
} from '#shared/contract/openid/openid-client.ts'
import type { Arguments, ResultOf } from '#shared/endpoint.ts'

export type OpenidClient = ResultOf<typeof getOpenidClients>['clients'][number]
type Creation = Arguments<typeof createOpenidClient>['body']
type Change = Arguments<typeof updateOpenidClient>['body']

/** A client's form values, with lists as text. */
export interface ClientForm {
  readonly name: string
  readonly verificationId: string
  /** One address per line. */
  readonly redirectUris: string
  /** Ages separated by commas or spaces. */
  readonly ageThresholds: string
  readonly mayAskAgeEstimate: boolean
  readonly isPublic: boolean
}

export function readClient(client: OpenidClient): ClientForm {
  const { name, verificationId, redirectUris, ageThresholds, mayAskAgeEstimate, isPublic } = client
  return {
    name,
    verificationId,
    redirectUris: redirectUris.join('\n'),
    ageThresholds: ageThresholds.join(', '),
    mayAskAgeEstimate,
    isPublic,
  }
}

export function creationOf(form: ClientForm): Creation {
  return {
    ...form,
    name: form.name.trim(),
    redirectUris: wordsOf(form.redirectUris),
    // Invalid numbers are kept, so that the server can report their position.
    ageThresholds: wordsOf(form.ageThresholds.replaceAll(',', ' ')).map(Number),
  }
}

/** Returns only the members that changed, so that other people's changes are not undone. */
export function changeOf(before: OpenidClient, form: ClientForm): Change {
  const [was, is] = [creationOf(readClient(before)), creationOf(form)]
  const changed = Object.entries(is).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof Creation]),
  )
  return { clientId: before.clientId, ...Object.fromEntries(changed) }
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
