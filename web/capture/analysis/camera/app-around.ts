/** Apps that open links inside themselves, by what they add to the name of the browser that they are made of. */
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

/** The app that shows this page inside itself; undefined in a browser, and in an app that does not tell. */
export function appAround(userAgent: string): string | undefined {
  return apps.find(([, mark]) => mark.test(userAgent))?.[0]
}
