/** Kind of device, as the browser reports it. */
export const visitDevices = ['phone', 'tablet', 'desk'] as const
export type VisitDevice = (typeof visitDevices)[number]

/** Browser families. All browsers on iOS count as `safari`, because they use its engine; Samsung's handles cameras differently. */
export const visitBrowsers = ['chromium', 'safari', 'firefox', 'samsung', 'other'] as const
export type VisitBrowser = (typeof visitBrowsers)[number]

/** Device and browser of a visit. */
export interface Visitor {
  readonly device: VisitDevice
  readonly browser: VisitBrowser
}
