/** A file of the build in the service worker's list. */
export interface BuiltFile {
  /** The path that it is served at. */
  readonly address: string
  /** `sha256-…`, in the form of the Fetch API's `integrity`. */
  readonly integrity: string
  /** True for files that every visit needs before its purpose is known; cached immediately. */
  readonly shell: boolean
}
