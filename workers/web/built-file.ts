/** A file from the build, as listed in the service worker. */
export interface BuiltFile {
  /** The path at which the file is served. */
  readonly address: string
  /** `sha256-…`, in the form of the Fetch API's `integrity`. */
  readonly integrity: string
  /** True if every visit needs this file before its purpose is known. Such files are cached immediately. */
  readonly shell: boolean
}
