/** A call with a picture, the way an integrator's program would make it. */
export interface PictureRequest {
  readonly path: string
  /** The client method, such as `faceVerification.getQuality`. */
  readonly call: string
  readonly fileName: string
  /** Body members besides the picture. */
  readonly more?: Readonly<Record<string, number>>
}

/** Two calls that each compute an embedding, and one that compares them. */
export interface ComparisonRequest {
  readonly embedPath: string
  readonly comparePath: string
  readonly fileNames: readonly [string, string]
}

const credential = '-H "Authorization: ApiKey $SELFSAME_API_KEY" -H \'Content-Type: application/json\''

/** A shell command that uses curl and base64, with a placeholder for the key. */
export function curlOf(origin: string, { path, fileName, more }: PictureRequest): string {
  const rest = Object.entries(more ?? {}).map(([name, value]) => `,"${name}":${value}`)
  return [
    `curl -sS ${quoted(origin + path)} \\`,
    `  ${credential} \\`,
    '  -d @- <<END',
    `{"image":{"bytes":"$(base64 < ${quoted(fileName)} | tr -d '\\n')"}${rest.join('')}}`,
    'END',
  ].join('\n')
}

/** The same call using the typed client. */
export function typescriptOf(origin: string, { call, fileName, more }: PictureRequest): string {
  const rest = Object.entries(more ?? {}).map(([name, value]) => `, ${name}: ${value}`)
  return [
    ...opening(origin),
    `const image = await imageOf(await readFile(${inSource(fileName)}))`,
    `const answer = await selfsame.${call}({ image${rest.join('')} })`,
    'console.log(answer)',
  ].join('\n')
}

/** The comparison as shell commands that use jq. */
export function curlOfComparison(
  origin: string,
  { embedPath, comparePath, fileNames }: ComparisonRequest,
): string {
  const [first, second] = fileNames.map(quoted)
  return [
    'embed() {',
    "  base64 < \"$1\" | tr -d '\\n' | jq -Rs '{ image: { bytes: . } }' |",
    `    curl -sS ${quoted(origin + embedPath)} ${credential} -d @- |`,
    "    jq '.faces[0].embedding'",
    '}',
    `{ embed ${first}; embed ${second}; } | jq -s '{ embedding1: .[0], embedding2: .[1] }' |`,
    `  curl -sS ${quoted(origin + comparePath)} ${credential} -d @-`,
  ].join('\n')
}

/** The comparison using the typed client. */
export function typescriptOfComparison(origin: string, { fileNames }: ComparisonRequest): string {
  const [first, second] = fileNames.map(inSource)
  return [
    ...opening(origin),
    'async function embed(path: string) {',
    '  const image = await imageOf(await readFile(path))',
    '  const { faces } = await selfsame.faceVerification.getFaceEmbeddings({ image })',
    '  return faces?.[0]?.embedding ?? []',
    '}',
    '',
    'const answer = await selfsame.faceVerification.compareFaceEmbeddings({',
    `  embedding1: await embed(${first}),`,
    `  embedding2: await embed(${second}),`,
    '})',
    'console.log(answer.similarity)',
  ].join('\n')
}

function opening(origin: string): string[] {
  return [
    "import { readFile } from 'node:fs/promises'",
    "import { createClient, imageOf } from 'selfsame/client'",
    '',
    `const selfsame = createClient({ origin: ${inSource(origin)}, apiKey: process.env.SELFSAME_API_KEY! })`,
  ]
}

/** Quotes text for a shell, even inside a here-document. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function inSource(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
