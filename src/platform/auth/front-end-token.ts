import { createHmac } from 'node:crypto'
import type { Env } from '../../kernel/env.ts'

/**
 * Spec 7's anonymous bearer token: identifies requests from the portal's own page and proves nothing. Derived from the installation's
 * secret.
 */
export const frontEndToken = (env: Env): string => createHmac('sha256', env.APP_SECRET).update('portal: front end').digest('base64url')
