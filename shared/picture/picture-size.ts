/** What a walk over the headers of a picture finds: its size, or what is wrong in words for the caller. */
export type Walked = { readonly width: number; readonly height: number } | { readonly fault: string }
