/**
 * `npm run dev`: the demo clinic for development, on one port (PORT, default 3000). Vite serves the screens with hot reload; the server restarts
 * when one of its files changes. It uses the data of `npm run demo`.
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createServer } from 'vite'

const port = Number(process.env.PORT ?? 3000)
const server = `http://127.0.0.1:${port + 1}`

const demo = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', path.join(import.meta.dirname, 'demo.ts'), '--dev', ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, PORT: String(port + 1), APP_URL: `http://localhost:${port}` } },
)
demo.on('exit', (code) => process.exit(code ?? 1))

const vite = await createServer({
  clearScreen: false,
  server: { port, strictPort: true, host: '127.0.0.1', proxy: { '/api': server, '/u/': server, '/health': server } },
})
await vite.listen()

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    demo.kill(signal)
    void vite.close()
  })
}
