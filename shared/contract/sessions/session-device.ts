/** What a visit was made on, by what its browser calls itself. */
export const visitDevices = ['phone', 'tablet', 'desk'] as const
export type VisitDevice = (typeof visitDevices)[number]

/** Families of browsers. Those of iOS are all `safari`, for they have its engine; that of Samsung differs where cameras are concerned. */
export const visitBrowsers = ['chromium', 'safari', 'firefox', 'samsung', 'other'] as const
export type VisitBrowser = (typeof visitBrowsers)[number]

/** What a visit was made with. */
export interface Visitor {
  readonly device: VisitDevice
  readonly browser: VisitBrowser
}
