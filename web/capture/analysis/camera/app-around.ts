/** Apps with built-in browsers, and the text that each one adds to the user agent. */
const apps: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Instagram', /\bInstagram \d/],
  ['Messenger', /\bFBAN\/Messenger|\bFB_IAB\/(?:Orca-Android|MESSENGER)/],
  ['Facebook', /\bFB(?:AN|AV|_IAB)\//],
  ['WeChat', /\bMicroMessenger\//],
  ['LinkedIn', /\[LinkedInApp\]/],
  ['Gmail', /\bGmail\/\d/i],
  ['Google', /\bGSA\/\d/],
  ['Teams', /\bTeamsMobile-(?:iOS|Android)\b|\bTeams\/\d/],
]

/** The app whose built-in browser is showing this page; undefined for a regular browser or an unknown app. */
export function appAround(userAgent: string): string | undefined {
  return apps.find(([, mark]) => mark.test(userAgent))?.[0]
}
