import { defineConfig } from 'vite'

// `selfsame` is installed by a path, so npm links it, and it would find another copy of React next to itself.
export default defineConfig({ resolve: { dedupe: ['react', 'react-dom'] } })
