import { staffPaths } from './staff-rules.ts'
import { signedOutPath } from './visitor-rules.ts'

const patterns = Object.values(staffPaths).map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+').replace(/\/$/, '')}/?$`, 'i'))

/** The page where patients book, which is not part of the application. */
export const isBookingPath = (path: string): boolean => /^\/book\/?$/i.test(path)

/** Whether the browser has a page for this path. The server answers 404 for any other. */
export const isPage = (path: string): boolean => signedOutPath(path) !== null || patterns.some((pattern) => pattern.test(path))
