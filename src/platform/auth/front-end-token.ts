import { createHmac } from 'node:crypto'
import type { Env } from '../../kernel/env.ts'

/** Spec 7's anonymous bearer: it says that the portal's own page asks, and proves nothing. Made from the installation's secret. */
export const frontEndToken = (env: Env): string => createHmac('sha256', env.APP_SECRET).update('portal: front end').digest('base64url')
