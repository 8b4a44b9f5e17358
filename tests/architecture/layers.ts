/**
 * The server's folders from the lowest to the highest. Each may import the ones before it but none after it, so
 * no two folders import each other. Add new features to this list.
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
  'server/features/attention/',
  'server/features/openid/',
  'server/features/verify/',
  'server/features/operators/',
  'server/features/privacy/',
  'server/app/',
] as const

/** The layer of a server file; -1 if its folder is not listed. */
export function layerOf(path: string): number {
  return layers.findIndex((folder) => path.startsWith(folder))
}

/** The feature that a file belongs to, or undefined. */
export function featureOf(path: string): string | undefined {
  return /^server\/features\/([^/]+)\//.exec(path)?.[1]
}

/** A feature's public file, which other features import. */
export function faceOf(feature: string): string {
  return `server/features/${feature}/${feature}.ts`
}
