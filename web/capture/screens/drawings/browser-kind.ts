/** Browsers whose way to a blocked camera differs. */
export type BrowserKind = 'chrome' | 'chromeAndroid' | 'firefox' | 'firefoxAndroid' | 'safari' | 'ios'

/**
 * Which browser this is, for the one thing that no feature tells: where its permissions are. All browsers of iOS have
 * them in the same place; a tablet of Apple calls itself a Macintosh, but is touched.
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
