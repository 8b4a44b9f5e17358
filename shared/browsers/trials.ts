/** A commonly used browser, and how well the check is known to work in it. */
interface Trial {
  readonly browser: string
  /** The tester and the method, or null if there is no report. */
  readonly triedBy: string | null
  readonly seen: string | null
}

/** [Note: Tested browsers] Every relevant browser has a row. Rows of untested browsers stay empty. */
export const trials: readonly Trial[] = [
  {
    browser: 'Chromium, desk, Linux',
    triedBy: 'us, with each change, acted',
    seen: 'every screen, visits, frames, kiosk, console',
  },
  {
    browser: 'Firefox ESR, desk, Linux',
    triedBy: 'us, with each change, acted',
    seen: 'visits by redirect and in a frame, refused cameras, the second device, kiosk, console, demo; passkeys of its own test token',
  },
  {
    browser: 'WebKitGTK, desk, Linux',
    triedBy: 'us, with each change, acted',
    seen: 'the same as in Firefox, but for passkeys, which it does not have',
  },
  ...[
    'Safari on a Mac',
    'Safari on an iPhone',
    'Safari on an iPad',
    'Chrome on an iPhone',
    'Chrome on Android',
    'Samsung Internet',
    'Firefox on Android',
    'Chrome and Edge on Windows',
    'Instagram, Facebook, WeChat, LinkedIn, Gmail and Teams, each showing the page in itself',
    'The oldest versions of the first table',
  ].map((browser) => ({ browser, triedBy: null, seen: null })),
]
