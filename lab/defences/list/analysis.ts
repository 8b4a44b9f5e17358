import type { Defence } from '../defence.ts'

const header = 'tests/shared/picture/picture-header.test.ts'
const walking = 'shared/picture/picture-header.ts'
const pool = 'tests/server/features/analysis/pool.test.ts'

/** Pictures, and the work of analysing them. */
export const analysisDefences: readonly Defence[] = [
  {
    rows: ['1.3.3', '1.4.1-1.4.3', '5.2.3', 'pictures that break decoders', 'malformed pictures'],
    test: [header, 'is walked: %s'],
    without: [
      [
        walking,
        "if (walked.width * walked.height > imageLimits.pixels) return { fault: 'Must have at most 40 megapixels.' }",
        '',
      ],
    ],
  },
  {
    rows: ['5.2.3'],
    test: [header, 'is at most 144 MB: %s'],
    without: [[walking, 'if (walked.heldBytes > mostHeldBytes) return { fault: heldTooMuch }', '']],
  },
  {
    rows: ['5.2.2', 'malformed pictures'],
    test: ['tests/server/features/analysis/image-source.test.ts', 'is refused: %s'],
    without: [
      [
        'server/features/analysis/image-source.ts',
        "if ('fault' in walked) throw unreadable(walked.fault, pointer)",
        "if ('fault' in walked) return bytes",
      ],
    ],
  },
  {
    rows: ['pictures that break decoders'],
    test: ['tests/workers/node/image-decoder-limit.test.ts', 'is refused where it takes %d seconds'],
    without: [['workers/node/image-decoder.ts', 'const mostSeconds = 5', 'const mostSeconds = 5000']],
  },
  {
    rows: ['pictures that break decoders'],
    test: [pool, 'ends a worker that takes too long over a picture'],
    without: [
      [
        'server/features/analysis/pool.ts',
        'return await Promise.race([unlessFailed(work), limit.over])',
        'return await unlessFailed(work)',
      ],
    ],
  },
  {
    rows: ['1.3.4'],
    test: ['tests/security/logo.test.ts', 'is refused: %s'],
    without: [
      [
        'server/features/accounts/logo-encoder.ts',
        "if ('fault' in walked) throw refusal(walked.fault)",
        "if ('fault' in walked) return bytes",
      ],
      ['server/platform/running/guarded-sharp.ts', "  sharp.block({ operation: ['VipsForeignLoad'] })\n", ''],
    ],
  },
  {
    rows: ['1.3.4'],
    test: ['tests/security/logo.test.ts', 'is drawn anew: what else the file carried is gone'],
    without: [
      [
        'server/features/accounts/logo-encoder.ts',
        'return { bytes: data, width',
        "return { bytes: data.length > 0 ? Buffer.from(text, 'base64') : data, width",
      ],
    ],
  },
  {
    rows: ['so did large pictures'],
    test: ['tests/workers/node/image-decoder-large.test.ts', 'of %s is decoded whole or at half its size'],
    without: [
      [
        'workers/node/image-decoder.ts',
        'const mostWholePixels = 16_000_000',
        'const mostWholePixels = Infinity',
      ],
    ],
  },
  {
    rows: ['so did large pictures'],
    test: [
      'tests/workers/node/sparing-decoder.test.ts',
      'collects before a picture of which the decoder holds all, whatever little is left',
    ],
    without: [
      [
        'workers/node/sparing-decoder.ts',
        'left + pixelsHeld(bytes) >= mostPixelsLeft',
        'left + 0 * pixelsHeld(bytes) >= mostPixelsLeft',
      ],
    ],
  },
  {
    rows: ['so did large pictures'],
    test: ['tests/server/features/analysis/unless-failed.test.ts', 'holds nothing of what the work brought'],
    without: [
      [
        'server/features/analysis/unless-failed.ts',
        'work.then(done, fail).finally(() => waiting.delete(fail))',
        'Promise.race([work, failed]).then(done as never, fail).finally(() => waiting.delete(fail))',
      ],
    ],
  },
  {
    rows: ['15.2.2', 'a flood of analyses'],
    test: [pool, 'answers overloaded to everybody when twice as many wait'],
    without: [
      [
        'server/features/analysis/waiting-line.ts',
        'if (own === 0 && waiting.length < places * 2) return',
        'if (own === 0) return',
      ],
    ],
  },
  {
    rows: ['a flood of analyses'],
    test: [pool, 'answers overloaded to an account that holds half of the places, and still takes another'],
    without: [
      ['server/features/analysis/waiting-line.ts', ' || own >= Math.max(1, Math.floor(places / 2))', ''],
    ],
  },
  {
    rows: ['one account starved all others', 'a flood of analyses'],
    test: [
      'tests/server/features/analysis/scheduler.test.ts',
      'counts the time of a slot, not the pictures: heavy ones of one account leave light ones of another between',
    ],
    without: [
      ['server/features/analysis/virtual-time.ts', 'account.used += work', 'account.used += Math.sign(work)'],
    ],
  },
  {
    rows: ['one account starved all others'],
    test: [pool, 'lets another account between the faces of a picture, and goes on with it then'],
    without: [
      [
        'server/features/analysis/pool.ts',
        'await pause().catch(dropping(worker, rest))',
        'void pause; void dropping',
      ],
    ],
  },
  {
    rows: ['a new embedding model'],
    test: [
      'tests/server/features/recognition/unreadable-collections.test.ts',
      'tells the collections whose faces are of a network that is not loaded, and no other',
    ],
    without: [
      [
        'server/features/recognition/unreadable-collections.ts',
        'if (embeddingModel !== model && embeddingModel !== formerModel)',
        'if (embeddingModel === undefined)',
      ],
    ],
  },
  {
    rows: ['altered weights'],
    test: ['tests/workers/node/weights.test.ts', 'refuses weights that were altered'],
    without: [
      [
        'workers/node/weights.ts',
        'if (found === sha256) return bytes',
        'if (found !== undefined) return bytes',
      ],
    ],
  },
  {
    rows: ['a substituted pack'],
    test: ['tests/server/features/packs/run-packs.test.ts', 'refuses %s, and leaves nothing'],
    without: [
      [
        'server/features/packs/installed-pack.ts',
        'return found === sha256 ? undefined :',
        'return found !== undefined ? undefined :',
      ],
    ],
  },
]
