/** Browsers that differ in where a person can allow a blocked camera. */
export type BrowserKind = 'chrome' | 'chromeAndroid' | 'firefox' | 'firefoxAndroid' | 'safari' | 'ios'

/**
 * Detects the browser by name, because features do not reveal where its permissions are. All iOS browsers keep them in
 * the same place. An iPad identifies itself as a Macintosh but has a touch screen.
 */
export function browserKindOf({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): BrowserKind {
  if (/iPad|iPhone|iPod/.test(userAgent)) return 'ios'
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return 'ios'
  const isAndroid = /Android/.test(userAgent)
  if (/Firefox\//.test(userAgent)) return isAndroid ? 'firefoxAndroid' : 'firefox'
  if (isAndroid) return 'chromeAndroid'
  return /Safari\//.test(userAgent) && !/Chrom/.test(userAgent) ? 'safari' : 'chrome'
}
