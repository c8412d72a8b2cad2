import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, MiddlewareHandler } from 'hono'
import { scanWorkerPolicy } from './headers.ts'
import { isBookingPath, isPage } from './page-rules.ts'

const dist = path.join(import.meta.dirname, '../../dist/web')

/**
 * Serves the built web application: its files by name, immutable if the name has a hash, and index.html for every other path. A path that has
 * no page gets index.html too, with status 404: the browser shows "Page not found". The page where patients book has its own file.
 */
export function serveWeb(nonceOf: (c: Context) => string): MiddlewareHandler {
  const files = serveStatic({
    root: path.relative(process.cwd(), dist) || '.',
    precompressed: true,
    onFound(file, c) {
      c.header('cache-control', file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (/\/assets\/scan-worker-[\w-]+\.js/.test(file)) c.header('content-security-policy', scanWorkerPolicy)
    },
  })
  const pages: Partial<Record<'index.html' | 'book.html', string>> = {}

  return async (c, next) => {
    const isFile = c.req.path.startsWith('/assets/') || (/\.[a-z0-9]+$/i.test(c.req.path) && !/^\/(index|book)\.html$/.test(c.req.path))
    if (isFile) return files(c, next)
    const isBooking = isBookingPath(c.req.path)
    const name = isBooking ? 'book.html' : 'index.html'
    const page = (pages[name] ??= await readFile(path.join(dist, name), 'utf8').catch(() => undefined))
    if (!page) return c.text('The web application has not been built. Run: npm run build', 503)
    c.header('cache-control', 'no-store')
    return c.html(page.replaceAll('__CSP_NONCE__', nonceOf(c)), isBooking || isPage(c.req.path) ? 200 : 404)
  }
}
