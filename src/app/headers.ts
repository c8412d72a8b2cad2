import type { Env } from '../kernel/env.ts'

const permissions = 'camera=(self), microphone=(), geolocation=()'

const common = (env: Env): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': permissions,
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
 * For application pages: only our own files, and styles by nonce (component libraries add style elements). Pages on which patients pay by card
 * (`paysByCard`) also load Stripe's script and frames. `framedBy`: origins that may show the page in a frame.
 */
export const pageHeaders = (env: Env, nonce: string, paysByCard: boolean, framedBy: readonly string[] = []): Record<string, string> => {
  const stripe = paysByCard && env.STRIPE_SECRET_KEY !== undefined ? stripeSources(env) : null
  return {
    ...common(env),
    ...(stripe && { 'permissions-policy': `${permissions}, payment=(self "${stripe.script}")` }),
    'content-security-policy': [
      "default-src 'self'",
      `script-src 'self'${stripe ? ` ${stripe.script}` : ''}`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob:",
      "font-src 'self'",
      `connect-src 'self'${stripe ? ` ${stripe.connect}` : ''}`,
      ...(stripe ? [`frame-src ${stripe.frames}`] : []),
      "worker-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
    ].join('; '),
  }
}

/** Where Stripe's script comes from, what it calls and what it frames: the simulator alone, where there is one. */
function stripeSources({ STRIPE_JS_URL, STRIPE_URL }: Env): { script: string; connect: string; frames: string } {
  const script = new URL(STRIPE_JS_URL).origin
  if (STRIPE_URL !== undefined) return { script, connect: script, frames: script }
  return { script, connect: 'https://api.stripe.com', frames: `${script} https://*.js.stripe.com https://hooks.stripe.com` }
}
