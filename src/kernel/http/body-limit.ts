import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

// The rest of a body that is too large is not read, so the connection cannot be used again.
export const atMost = (kibibytes: number): MiddlewareHandler =>
  bodyLimit({
    maxSize: kibibytes * 1024,
    onError: (c) =>
      c.json({ code: 'BODY_TOO_LARGE', message: `A request may have ${kibibytes} KiB at most` }, 413, { connection: 'close' }),
  })

/** What any call may be sent. */
export const limitBody = atMost(256)
