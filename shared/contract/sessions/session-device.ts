/** The kind of device, as reported by the browser. */
export const visitDevices = ['phone', 'tablet', 'desk'] as const
export type VisitDevice = (typeof visitDevices)[number]

/** Browser families. All browsers on iOS count as `safari`, because they use its engine. Samsung's browser handles cameras differently. */
export const visitBrowsers = ['chromium', 'safari', 'firefox', 'samsung', 'other'] as const
export type VisitBrowser = (typeof visitBrowsers)[number]

/** A visit's device and browser. */
export interface Visitor {
  readonly device: VisitDevice
  readonly browser: VisitBrowser
}
