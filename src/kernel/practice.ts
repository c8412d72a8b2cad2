import type { Env } from './env.ts'

/** The logo, re-encoded as PNG on upload; `width` and `height` in pixels. */
export interface Logo {
  hash: string
  png: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

export interface LivePractice {
  /** The server's settings, with the practice's settings as last saved by an administrator, in any process. */
  env: Env
  /** The settings that the server was started with. */
  started: Env
  logo: () => Logo | null
  /** Reloads the settings. Calls that change them await this before they respond. */
  read: () => Promise<void>
  /** Resolves once announced changes are loaded, so that clients that were notified of a change do not get outdated settings. */
  whenLoaded: () => Promise<void>
}
