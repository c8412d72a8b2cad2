import type { Env } from '../kernel/env.ts'

const common = (env: Env): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  ...(env.APP_URL.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
})

/** For API responses: never stored by a browser or proxy, and nothing in them can run. */
export const plainHeaders = (env: Env): Record<string, string> => ({
  ...common(env),
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
})

/** For the script of the worker that reads barcodes: it loads WebAssembly, which may run nowhere else. */
export const scanWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

/**
 * For application pages: only our own files, and styles by nonce (component libraries add style elements). `framedBy`: origins that may show the
 * page in a frame.
 */
export const pageHeaders = (env: Env, nonce: string, framedBy: readonly string[] = []): Record<string, string> => ({
  ...common(env),
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
  ].join('; '),
})
