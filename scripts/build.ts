/** `npm run build`, after the type check: the screens, the booking page and the server, unless dist/ is up to date. */
import { buildIfStale } from './built.ts'

process.exitCode = buildIfStale('web', 'server') ? 0 : 1
