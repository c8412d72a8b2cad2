import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

// The rest of an oversized body is not read, so the connection is closed.
export const atMost = (kibibytes: number): MiddlewareHandler =>
  bodyLimit({
    maxSize: kibibytes * 1024,
    onError: (c) =>
      c.json({ code: 'BODY_TOO_LARGE', message: `A request can have at most ${kibibytes} KiB` }, 413, { connection: 'close' }),
  })

/** The limit for calls. */
export const limitBody = atMost(256)
