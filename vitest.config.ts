import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['switchboard-source', 'node'] },
  ssr: { resolve: { conditions: ['switchboard-source', 'node'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
