import Delaunator from 'delaunator'
import canonical from '../../models/weights/canonical-face.json' with { type: 'json' }

/**
 * The triangles between the mesh's 468 points, with three indices each: the Delaunay triangulation of the canonical face from the front.
 * Every face therefore has the same triangles.
 */
export const faceTriangles: Uint32Array = triangulate(canonical.vertices)

function triangulate(vertices: readonly number[]): Uint32Array {
  const flat = new Float64Array((vertices.length / 3) * 2)
  for (let i = 0; i < flat.length / 2; i++) {
    flat[2 * i] = vertices[3 * i]!
    flat[2 * i + 1] = vertices[3 * i + 1]!
  }
  return Uint32Array.from(new Delaunator(flat).triangles)
}
