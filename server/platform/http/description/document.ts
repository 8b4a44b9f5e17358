/** A JSON Schema as it appears in the document. */
export interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** The accepted credential, identified by its scheme's name. */
export type SecurityRequirement = Readonly<Record<string, readonly never[]>>

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security: readonly SecurityRequirement[]
  readonly [field: string]: unknown
}

/** The parts of an OpenAPI document that this code reads. */
export interface Description {
  readonly openapi: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly [field: string]: unknown
}
