import type { Settings } from './settings.ts'

const fewestActions = 4

/** A setting that weakens the deployment: a stable code, and what it means. */
export interface Warning {
  readonly code: string
  readonly meaning: string
}

/** What an operator should know about the settings. On a machine that serves only itself the defaults are fine. */
export function warningsOf(settings: Settings, keyGoesToPipe: boolean): Warning[] {
  const { listensOnLoopback, publicUrl } = settings
  const found: (Warning | false)[] = [
    settings.challengeActions.length < fewestActions && {
      code: 'weak_challenge',
      meaning: `Fewer than ${fewestActions} actions are easy to foresee.`,
    },
    settings.imageUrlAllow.length > 0 && {
      code: 'private_targets',
      meaning: 'IMAGE_URL_ALLOW lets pictures be fetched beyond the public internet.',
    },
    publicUrl?.startsWith('http:') === true && { code: 'no_tls', meaning: 'PUBLIC_URL is not https.' },
  ]
  const whenPublic: (Warning | false)[] = [
    publicUrl === undefined && { code: 'no_tls', meaning: 'Without PUBLIC_URL addresses are http.' },
    settings.webhookAllowLoopback && { code: 'private_targets', meaning: 'Webhooks may reach this machine.' },
    settings.demo && { code: 'demo_public', meaning: 'Anybody may use the demo.' },
    settings.attemptLimit === undefined && { code: 'no_limits', meaning: 'Failed sessions are not limited.' },
    settings.secret === undefined && {
      code: 'secret_beside_store',
      meaning: 'Set SECRET: who copies DATA_DIR has both.',
    },
    keyGoesToPipe && { code: 'key_in_log', meaning: 'The first API key was printed to a pipe.' },
  ]
  return [...found, ...(listensOnLoopback ? [] : whenPublic)].filter((warning) => warning !== false)
}
