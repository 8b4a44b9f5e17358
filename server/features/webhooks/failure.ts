import type { DeliveryError } from '#shared/contract/account/webhook.ts'

const classes: Readonly<Record<string, DeliveryError>> = {
  ABORT_ERR: 'timeout',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'nameNotFound',
  EAI_AGAIN: 'nameNotFound',
  ECONNREFUSED: 'connectionRefused',
  ERR_ADDRESS_NOT_ALLOWED: 'addressNotAllowed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
}

/** The reason that a receiver did not answer, in categories that an integrator can act on. */
export function classOf(error: unknown): DeliveryError {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout'
  const known = typeof code === 'string' ? classes[code] : undefined
  if (known !== undefined) return known
  return /^(CERT_|ERR_TLS_|ERR_SSL_)/.test(String(code)) ? 'certificate' : 'connectionFailed'
}
