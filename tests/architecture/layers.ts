/**
 * The folders of the server from the lowest to the highest: each imports what stands before it, and nothing that stands after it. So no
 * two of them import each other. A new feature is given its place here.
 */
export const layers = [
  'server/platform/crypto/',
  'server/platform/running/',
  'server/platform/web-authn/',
  'server/platform/sealed-files/',
  'server/platform/store/',
  'server/platform/http/',
  'server/platform/listening/',
  'server/platform/telemetry/',
  'server/features/callers/',
  'server/features/audit/',
  'server/features/accounts/',
  'server/features/idempotency/',
  'server/features/tokens/',
  'server/features/packs/',
  'server/features/links/',
  'server/features/analysis/',
  'server/features/recognition/',
  'server/features/verifications/',
  'server/features/webhooks/',
  'server/features/sessions/',
  'server/features/kiosks/',
  'server/features/openid/',
  'server/features/verify/',
  'server/features/operators/',
  'server/features/privacy/',
  'server/app/',
] as const

/** How high a file of the server stands; -1 for one that has no place. */
export function layerOf(path: string): number {
  return layers.findIndex((folder) => path.startsWith(folder))
}

/** The feature that a file is part of; undefined for a file of none. */
export function featureOf(path: string): string | undefined {
  return /^server\/features\/([^/]+)\//.exec(path)?.[1]
}

/** The one file of a feature that others import. */
export function faceOf(feature: string): string {
  return `server/features/${feature}/${feature}.ts`
}
