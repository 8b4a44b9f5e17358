/** A file of the build, as the service worker's list names it. */
export interface BuiltFile {
  /** The path that it is served at. */
  readonly address: string
  /** `sha256-…`, as the platform checks what it fetches. */
  readonly integrity: string
  /** Part of what every visit needs before it knows what it is for; kept at once. */
  readonly shell: boolean
}
