import { refuse } from '../../build/usage.ts'
import type { VisitedSite } from '../../e2e/support/acted/scenario.ts'
import { productOf } from '../../e2e/support/product.ts'

/** A running server in the form that visits require. Exits if the key or the address is invalid. */
export function productAt(at: string, apiKey: string | undefined): VisitedSite['product'] {
  if (!URL.canParse(at)) refuse(`--at takes an address such as https://check.example, not "${at}".`)
  if (apiKey === undefined || apiKey === '') refuse('SELFSAME_API_KEY must hold a key of the server.')
  return productOf({ origin: new URL(at).origin, apiKey })
}
