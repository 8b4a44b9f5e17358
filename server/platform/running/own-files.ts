import { dirname, join } from 'node:path'

/** Paths to the files that belong to the server besides its code. */
interface OwnFiles {
  readonly analysisWorker: string
  readonly searchWorker: string
  readonly base64Worker: string
  readonly documents: string
  /** The networks that ship with the program. */
  readonly weights: string
  readonly builtPages: string
}

/** Locates them relative to the entry file: `server/app/main.ts`, or `dist/server/main.js` in a build. */
export function ownFilesOf(main: string): OwnFiles {
  const at = (path: string) => join(dirname(main), path)
  return main.endsWith('.ts')
    ? {
        analysisWorker: at('../../workers/node/analysis.worker.ts'),
        searchWorker: at('../features/recognition/index/threads/search.worker.ts'),
        base64Worker: at('../platform/http/requests/base64/base64.worker.ts'),
        documents: at('../../docs'),
        weights: at('../../models/weights'),
        builtPages: at('../../dist/web'),
      }
    : {
        analysisWorker: at('analysis.worker.js'),
        searchWorker: at('search.worker.js'),
        base64Worker: at('base64.worker.js'),
        documents: at('../../docs'),
        weights: at('../../models/weights'),
        builtPages: at('../web'),
      }
}
