import { type Expressions, expressionNames } from './analysis.ts'
import { faceRegion } from './demographic.ts'
import type { Mesh } from './landmarks.ts'
import type { Feed, Picture } from './picture.ts'
import type { Session } from './session.ts'

const feed: Feed = { size: 112, channels: 'RGB', scale: 1, offset: 0 }

/** Share of each of seven expressions, summing to 1 (face-api.js's expression network). */
export async function recogniseExpression(
  session: Session,
  picture: Picture,
  mesh: Mesh,
): Promise<Expressions> {
  const output = await session.run(picture.crop(faceRegion(mesh, 1.15), feed))
  const shares = output.expressions!.data
  return Object.fromEntries(expressionNames.map((name, i) => [name, shares[i]!])) as Expressions
}
