import preact from '@preact/preset-vite'
import { defineConfig } from 'vite'
import { installable } from './build/installable.ts'
import { refusesOldNode } from './build/old-node.ts'
import { withoutDescriptions } from './build/without-descriptions.ts'
import { informedWithoutScripts } from './build/without-scripts.ts'
import { buildTargets, floorVersions, readers } from './shared/browsers/floors.ts'

const port = Number(process.env.PORT ?? 8080)

export default defineConfig(({ isSsrBuild }) =>
  isSsrBuild
    ? {
        plugins: [refusesOldNode()],
        build: {
          ssr: true,
          outDir: 'dist/server',
          emptyOutDir: true,
          target: 'node22',
          rollupOptions: {
            input: {
              main: 'server/app/main.ts',
              account: 'server/app/command/account-command.ts',
              collection: 'server/app/command/collection-command.ts',
              packs: 'server/app/command/packs-command.ts',
              audit: 'server/app/command/audit-command.ts',
              backup: 'server/app/command/backup-command.ts',
              store: 'server/app/migrating/store-command.ts',
              'analysis.worker': 'workers/node/analysis.worker.ts',
              'search.worker': 'server/features/recognition/index/threads/search.worker.ts',
              'base64.worker': 'server/platform/http/requests/base64/base64.worker.ts',
            },
          },
        },
      }
    : {
        root: 'web',
        base: '/',
        plugins: [preact(), withoutDescriptions(), installable('web/icon.svg'), informedWithoutScripts()],
        worker: { format: 'es' },
        // Forces the fallback in the console's OpenID Connect client, because browsers at the floor lack `URL.parse`.
        define: { 'URL.parse': 'undefined' },
        build: {
          outDir: '../dist/web',
          emptyOutDir: true,
          // [Note: Old browsers get a message]
          target: buildTargets(readers),
          cssTarget: buildTargets(floorVersions()),
          assetsInlineLimit: 0,
          // Browsers without module preloading only start one small download later, so its polyfill is not worth its bytes.
          modulePreload: { polyfill: false },
          // By default a style sheet is named after its page, so pages with equal styles would ship several copies.
          rollupOptions: {
            // Public fields are assigned, so that no page loads the helper functions that define them.
            transform: { assumptions: { setPublicClassFields: true } },
            output: {
              assetFileNames: ({ names }) =>
                names.some((name) => name.endsWith('.css'))
                  ? 'assets/style-[hash][extname]'
                  : 'assets/[name]-[hash][extname]',
            },
          },
        },
        optimizeDeps: { include: ['comlink', 'onnxruntime-web/wasm', 'workbox-window'] },
        server: { proxy: { '/v1': `http://127.0.0.1:${port}` } },
      },
)
