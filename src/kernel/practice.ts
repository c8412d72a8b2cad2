import type { Env } from './env.ts'

/** A picture as it was drawn when it was uploaded; `width` and `height` in pixels. */
export interface Logo {
  hash: string
  png: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

export interface LivePractice {
  /** The server's settings, in which those of the practice are what an administrator has set last, wherever that was. */
  env: Env
  /** As the server was started. */
  started: Env
  logo: () => Logo | null
  /** Reads what is set. Anyone who changes it waits for this before the answer leaves. */
  read: () => Promise<void>
  /** Once what was heard of a change is read: anyone who was told of one must not be answered with what was there before. */
  settled: () => Promise<void>
}
